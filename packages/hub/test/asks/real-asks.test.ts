import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import type { AskView, HubDecision } from "@signalbox/api";
import { refusal } from "../session/bench.ts";
import { person, EngineStage } from "@signalbox/testing/engine-stage";

setDefaultTimeout(180_000);

const call = (tool: string, input: object) => `::tool ${tool} ${JSON.stringify(input)}`;
const touch = (name: string) => call("Bash", { command: `touch ${name}` });
const question = call("AskUserQuestion", {
  questions: [
    {
      question: "Which colour?",
      header: "Colour",
      multiSelect: false,
      options: [
        { label: "red", description: "warm" },
        { label: "blue", description: "cold" },
      ],
    },
  ],
});

/** A session of the real agent, one turn after the other. */
class AskSession {
  readonly stage: EngineStage;
  readonly id: string;
  #turns = 0;

  constructor(stage: EngineStage, id: string) {
    this.stage = stage;
    this.id = id;
  }

  static async open(stage: EngineStage): Promise<AskSession> {
    return new AskSession(stage, (await stage.create()).id);
  }

  /** Says it, answers the asks one after the other, and waits for the end of the turn. */
  async turn(script: string, ...decisions: HubDecision[]): Promise<AskView[]> {
    await this.stage.send(this.id, script);
    const asks: AskView[] = [];
    for (const decision of decisions) asks.push(await this.answer(decision));
    await this.stage.turns(this.id, ++this.#turns);
    return asks;
  }

  async answer(decision: HubDecision): Promise<AskView> {
    const ask = await this.stage.ask(this.id);
    await this.stage.engine.asks.answer(ask.id, { hash: ask.hash, decision }, person);
    return ask;
  }
}

const allow: HubDecision = { behavior: "allow" };

test("[HB26] the decision is what runs: allowed, edited, remembered, denied with a reason, denied with an end of the turn, answered and planned, also for subagents", async () => {
  await using stage = await EngineStage.open();
  const talk = await AskSession.open(stage);
  const input = { command: "touch edited.txt" };
  const [edited] = await talk.turn(`${touch("asked.txt")}\n::say ok`, { ...allow, input });
  expect(edited).toMatchObject({ kind: "permission", tool: "Bash", status: "open" });
  expect([stage.has("asked.txt"), stage.has("edited.txt")]).toEqual([false, true]);
  const audit = await stage.store.audit(0, 100);
  expect(JSON.stringify(audit)).toContain("touch edited.txt");

  const denied = { behavior: "deny", message: "Not on a Sunday." } as const;
  await talk.turn(`${touch("denied.txt")}\n::say ok`, denied);
  expect(stage.has("denied.txt")).toBe(false);
  expect(stage.requests.at(-1)?.includes("Not on a Sunday.")).toBe(true);

  const [first] = await talk.turn(`${touch("one.txt")}\n::say ok`, { ...allow, remember: [0] });
  expect(first?.suggestions.length).toBeGreaterThan(0);
  await talk.turn(`${touch("one.txt")}\n::say ok`); // nobody is asked again
  expect(stage.has("one.txt")).toBe(true);

  const answers = { "Which colour?": "blue" };
  const [asked] = await talk.turn(`${question}\n::say ok`, { behavior: "answer", answers });
  expect(asked?.kind).toBe("question");
  expect(stage.requests.at(-1)?.includes("blue")).toBe(true);

  const inner = `${call("Bash", { command: "mkdir by-subagent" })}\n::say done`;
  const task = { description: "Make", subagent_type: "general-purpose", prompt: inner };
  const [sub] = await talk.turn(`${call("Task", task)}\n::say ok`, allow);
  expect(sub?.agentId).toBeString();
  expect(sub?.subagent).toEqual({ type: "general-purpose", description: "Make" });
  await stage.until(() => stage.has("by-subagent"));
});

test("[HB27] supervised asks through the hook before everything except reading, and autonomous asks only for questions and plans", async () => {
  await using stage = await EngineStage.open();
  const talk = await AskSession.open(stage);
  await stage.engine.sessions.change(talk.id, { policy: "supervised" }, person);
  const write = call("Write", { file_path: `${stage.folder}/a.txt`, content: "a" });
  const [asked] = await talk.turn(`${write}\n::say ok`, allow);
  expect(asked).toMatchObject({ kind: "permission", tool: "Write" });
  expect(stage.has("a.txt")).toBe(true);
  const no = { behavior: "deny", message: "No." } as const;
  await talk.turn(`${touch("b.txt")}\n::say ok`, no);
  expect(stage.has("b.txt")).toBe(false);

  const bypass = { policy: "autonomous", confirmed: true, bypassMinutes: 60 } as const;
  await stage.engine.sessions.change(talk.id, bypass, person);
  const [choice] = await talk.turn(`${touch("c.txt")}\n::say then\n${question}\n::say ok`, {
    behavior: "answer",
    answers: { "Which colour?": "red" },
  });
  expect(choice?.kind).toBe("question");
  expect(stage.has("c.txt")).toBe(true);

  await stage.engine.sessions.change(talk.id, { policy: "plan" }, person);
  const plan = call("ExitPlanMode", { plan: "# Plan\n1. now" });
  const comments = { behavior: "deny", message: "Think again." } as const;
  const plans = await talk.turn(`${plan}\n::say then\n${plan}\n::say ok`, comments, allow);
  expect(plans.map(({ kind }) => kind)).toEqual(["plan", "plan"]);
  expect(stage.requests.some((request) => request.includes("Think again."))).toBe(true);

  await stage.engine.sessions.change(talk.id, { policy: "default" }, person);
  await stage.send(talk.id, `${touch("d.txt")}\n::say never said`);
  const stop = { behavior: "deny", message: "Stop here.", stop: true } as const;
  await talk.answer(stop);
  await stage.until(() => stage.engine.sessions.get(talk.id).summary.status === "idle");
  expect(stage.has("d.txt")).toBe(false);
  expect(await stage.texts(talk.id)).not.toContain("never said");
});

test("[HB64] a plan is approved together with a mode, which then takes effect unless the policy forbids it", async () => {
  await using stage = await EngineStage.open();
  const talk = await AskSession.open(stage);
  const mode = () => stage.engine.sessions.get(talk.id).summary.mode;
  const write = (name: string) =>
    call("Write", { file_path: `${stage.folder}/${name}`, content: "a" });
  const planned = (name: string) =>
    `${call("ExitPlanMode", {})}\n::say then\n${write(name)}\n::say ok`;
  const plan = () =>
    stage.engine.sessions.request(talk.id, "set_permission_mode", { mode: "plan" }, person);

  await talk.turn("::say ready");
  await plan();
  const freely = { ...allow, mode: "acceptEdits" } as const;
  const [approved] = await talk.turn(planned("freely.txt"), freely); // nobody is asked for the file
  expect(approved).toMatchObject({ kind: "plan" });
  expect(stage.has("freely.txt")).toBe(true);
  expect(mode()).toBe("acceptEdits");

  await plan(); // from a mode that would change files freely
  const [, asked] = await talk.turn(planned("asked.txt"), { ...allow, mode: "default" }, allow);
  expect(asked).toMatchObject({ kind: "permission", tool: "Write" });
  expect(stage.has("asked.txt")).toBe(true);
  expect(mode()).toBe("default");

  const { id } = await stage.create({ policy: "supervised", mode: "plan" });
  const watched = new AskSession(stage, id);
  await stage.send(id, planned("supervised.txt"));
  const { id: held, hash } = await stage.ask(id);
  const answer = stage.engine.asks.answer(held, { hash, decision: freely }, person);
  expect(await refusal(answer)).toEqual({ status: 422, code: "policy-forbids" });
  await watched.answer({ ...allow, mode: "default" });
  expect(await watched.answer(allow)).toMatchObject({ kind: "permission", tool: "Write" });
});

test("[HB82] the path because of which the agent asks is part of the request, in the session and the conversation", async () => {
  await using stage = await EngineStage.open();
  const talk = await AskSession.open(stage);
  const path = join(stage.home, "elsewhere.txt");
  const call = JSON.stringify({ command: `rm -f ${path}`, description: "run it" });
  const [ask] = await talk.turn(`::tool Bash ${call}\n::say ok`, { behavior: "deny" });
  expect(ask?.blockedPath).toBe(path);
  const items = await stage.items(talk.id);
  expect(items.find(({ kind }) => kind === "ask")).toMatchObject({ blockedPath: path });
});
