import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { openCutter } from "./cutter.ts";
import { person, RelayStage, until } from "./stage.ts";

setDefaultTimeout(180_000);

const bash = (command: string) =>
  `::tool Bash ${JSON.stringify({ command, description: "run it" })}`;
const dot = readFileSync(`${import.meta.dir}/../../../runner/test/real/dot.png`).toString("base64");

let stage: RelayStage;
let cutter: Awaited<ReturnType<typeof openCutter>>;
let session: string;
beforeAll(async () => {
  stage = await RelayStage.open({}, { real: true });
  cutter = await openCutter(stage.hub.port);
  const invited = await stage.invite("from afar");
  session = invited.session;
  stage.claude(`ws://127.0.0.1:${cutter.port}/ws/cli/${session}`, invited.secret);
  await stage.running(session);
});
afterAll(async () => {
  await cutter[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

describe("Claude Code 2.1.7 through --sdk-url", () => {
  test("[RL10] is on the board when it is initialized, before anything was said; then a turn", async () => {
    expect(stage.view(session)).toMatchObject({ driver: "relay", dialled: { connected: true } });
    await stage.turn(session, "::say hello from afar");
    expect(await stage.texts(session)).toEqual(["hello from afar"]);
    expect(stage.view(session)).toMatchObject({ folder: stage.folder, state: "running" });
  });

  test("[RL10] a permission, which a person denies and allows", async () => {
    const turn = stage.turn(
      session,
      `${bash("touch no.txt")}\n${bash("touch yes.txt")}\n::say asked`,
    );
    const first = await stage.ask(session);
    const no = { behavior: "deny", message: "not this" } as const;
    await stage.engine.answer(first.id, { hash: first.hash, decision: no }, person);
    const second = await stage.ask(session, new Set([first.id]));
    await stage.engine.answer(
      second.id,
      { hash: second.hash, decision: { behavior: "allow" } },
      person,
    );
    await turn;
    expect([stage.has("no.txt"), stage.has("yes.txt")]).toEqual([false, true]);
  });

  test("[RL10] a question, and an image", async () => {
    const questions = [
      {
        question: "Which colour?",
        header: "Colour",
        multiSelect: false,
        options: [
          { label: "red", description: "warm" },
          { label: "blue", description: "cold" },
        ],
      },
    ];
    const text = `::tool AskUserQuestion ${JSON.stringify({ questions })}\n::say chosen`;
    await stage.engine.send(
      session,
      crypto.randomUUID(),
      { text, images: [{ data: dot, name: "dot.png" }] },
      person,
    );
    const ask = await stage.ask(session);
    expect(ask.kind).toBe("question");
    const decision = { behavior: "answer", answers: { "Which colour?": "blue" } } as const;
    await stage.engine.answer(ask.id, { hash: ask.hash, decision }, person);
    await until(() => stage.view(session).summary.status === "idle");
    const sent = JSON.stringify(stage.modelRequests);
    expect(sent).toContain('"media_type":"image/png"');
    expect(sent).toContain("blue");
  });

  test("[RL10] an interrupt ends the turn", async () => {
    const turn = stage.turn(session, `${bash("touch never.txt")}\n::say never`);
    await stage.ask(session);
    await stage.engine.interrupt(session, person);
    await turn;
    expect(stage.engine.asks()).toEqual([]);
    expect(await stage.texts(session)).not.toContain("never");
  });

  test("[RL11] an open ask survives a broken line, and is answered over the next one", async () => {
    const turn = stage.turn(session, `${bash("touch after-cut.txt")}\n::say it went on`);
    const ask = await stage.ask(session);
    cutter.cut();
    await until(() => stage.view(session).dialled?.connected === false);
    expect(stage.view(session).state).toBe("running");
    await stage.engine.answer(ask.id, { hash: ask.hash, decision: { behavior: "allow" } }, person);
    await turn;
    expect(stage.has("after-cut.txt")).toBe(true);
    expect((await stage.texts(session)).at(-1)).toBe("it went on");
  });

  test("[RL12] the hub goes and comes back: the run goes on, with its open ask", async () => {
    const { run } = stage.engine.relayed.row(session)!;
    const turn = stage.engine.send(
      session,
      crypto.randomUUID(),
      { text: `${bash("touch after-hub.txt")}\n::say hub is back` },
      person,
    );
    await turn;
    const ask = await stage.ask(session);
    await stage.hub.stop();
    await stage.start();
    await until(() => stage.view(session).dialled?.connected === true);
    const again = await stage.ask(session);
    expect(again.id).toBe(ask.id);
    await stage.engine.answer(ask.id, { hash: ask.hash, decision: { behavior: "allow" } }, person);
    await until(async () => (await stage.texts(session)).at(-1) === "hub is back");
    expect(stage.has("after-hub.txt")).toBe(true);
    expect(stage.engine.relayed.row(session)).toMatchObject({ run, state: "running" });
  });
});
