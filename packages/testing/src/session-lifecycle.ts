import { dotPicture } from "./programs.ts";
import { killAll } from "./kill-all.ts";
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import type { AskView } from "@signalbox/api";
import { person, type EngineStage } from "./engine-stage.ts";

/** Where the story is told: a hub that can be lost, and what is seen of its sessions and agents. */
export type LifecycleStage = Pick<
  EngineStage,
  | "agents"
  | "allow"
  | "ask"
  | "engine"
  | "has"
  | "loseHub"
  | "requests"
  | "send"
  | "startHub"
  | "texts"
  | "turns"
  | "until"
>;

const call = (tool: string, input: object) => `::tool ${tool} ${JSON.stringify(input)}`;
const touch = (name: string) => call("Bash", { command: `touch ${name}` });
const words = (count: number) => Array.from({ length: count }, (_, nth) => `w${nth + 1}`).join(" ");
const color = {
  question: "Which color?",
  header: "Pick",
  multiSelect: false,
  options: ["Red", "Blue"].map((label) => ({ label, description: label })),
};

/** What differs between the ways in; all else is the same story. */
interface LifecycleSteps {
  /** A session with its first run, and this prompt. */
  create(text: string): Promise<string>;
  /** Gives the process back, and settles when it is gone. */
  park(session: string): Promise<void>;
  /** After a crash or a park, where it takes more than the next message. */
  restart?(session: string): Promise<void>;
}

/** A session's life, from its first word to the one after everything that can befall it. */
export async function runLifecycle(stage: LifecycleStage, steps: LifecycleSteps): Promise<void> {
  const id = await steps.create("::say My name is Ada.");
  await stage.turns(id, 1);
  let turns = 1;
  const view = () => stage.engine.sessions.get(id);
  const turn = async (text: string) => {
    await stage.send(id, text);
    turns += 1;
  };

  // A permission and a question, each answered; what waits meanwhile comes after them.
  await turn([touch("made.txt"), call("AskUserQuestion", { questions: [color] })].join("\n"));
  const ask = await stage.ask(id);
  await turn("::say Queued meanwhile.");
  expect(view().queue.map(({ text }) => text)).toContain("::say Queued meanwhile.");
  await stage.allow(ask);
  const question = await waitForAsk(stage, id, "question");
  await stage.engine.asks.answer(
    question.id,
    { hash: question.hash, decision: { behavior: "answer", answers: { "Which color?": "Blue" } } },
    person,
  );
  await stage.turns(id, turns);
  expect(stage.has("made.txt")).toBe(true);
  expect(stage.requests.some((request) => request.includes("Blue"))).toBe(true);
  expect((await stage.texts(id)).at(-1)).toBe("Queued meanwhile.");

  // An interrupt with an open ask.
  await turn(touch("never.txt"));
  const withdrawn = await stage.ask(id);
  await stage.engine.sessions.interrupt(id, person);
  await stage.until(() => view().summary.status === "idle" && view().openAsks === 0);
  const late = await stage.allow(withdrawn).catch((why: { code: string }) => why.code);
  expect(late).toBe("expired");
  expect(stage.has("never.txt")).toBe(false);
  turns = view().summary.turns;

  // An image.
  const data = readFileSync(dotPicture).toString("base64");
  const image = { text: "::say I see a dot.", images: [{ data, name: "dot.png" }] };
  await stage.engine.prompts.send(id, crypto.randomUUID(), image, person);
  await stage.turns(id, ++turns);
  expect(stage.requests.at(-1)).toContain('"media_type":"image/png"');

  // The hub is killed in the middle of a text.
  await turn("::flood 300 150");
  await stage.until(() => view().summary.status === "active");
  await stage.loseHub();
  await stage.startHub();
  await stage.turns(id, turns);
  expect((await stage.texts(id)).at(-1)?.trim()).toBe(words(300));

  // The agent is killed; a person's word brings it back, and it remembers.
  killAll(stage.agents());
  await stage.until(() => view().state === "crashed");
  expect(view().problem).toBeString();
  turns = view().summary.turns;
  await steps.restart?.(id);
  await turn("::say Back again.");
  await stage.turns(id, turns);
  expect(stage.requests.at(-1)).toContain("My name is Ada.");

  // Parked, and woken by the next message.
  await steps.park(id);
  expect(view().state).toBe("parked");
  expect(stage.agents()).toEqual([]);
  await steps.restart?.(id);
  await turn("::say And once more.");
  await stage.turns(id, turns);
  expect(stage.requests.at(-1)).toContain("My name is Ada.");
  expect((await stage.texts(id)).at(-1)).toBe("And once more.");

  const lines = await stage.engine.history.listLines(id, { after: 0, limit: 5000 });
  expect(lines.map(({ pos }) => pos)).toEqual(lines.map((_, at) => at + 1));
  const uuids = lines.flatMap(({ text, from }) => {
    const uuid = from === "agent" ? /"uuid":"([^"]+)"/.exec(text ?? "")?.[1] : undefined;
    return uuid === undefined ? [] : [uuid];
  });
  expect(uuids.filter((uuid, at) => uuids.indexOf(uuid) !== at)).toEqual([]);
}

async function waitForAsk(
  stage: LifecycleStage,
  session: string,
  kind: AskView["kind"],
): Promise<AskView> {
  const find = () =>
    stage.engine.asks.list().find((ask) => ask.session === session && ask.kind === kind);
  await stage.until(() => find() !== undefined);
  return find() as AskView;
}
