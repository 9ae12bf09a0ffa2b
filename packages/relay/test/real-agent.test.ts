import { dotPicture } from "@signalbox/testing/programs";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { query } from "@anthropic-ai/claude-agent-sdk/browser";
import { furtherTest } from "@signalbox/testing/agent-versions";
import { openCutter } from "@signalbox/testing/cutter";
import { RecordedFrontEnd } from "./front-ends.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const bash = (command: string) =>
  `::tool Bash ${JSON.stringify({ command, description: "run it" })}`;
const dot = readFileSync(dotPicture).toString("base64");

const isAnswerTo = (id: string, response: unknown) =>
  (response as { request_id?: unknown } | undefined)?.request_id === id;

async function* prompts(text: string) {
  const message = { role: "user" as const, content: text };
  yield { type: "user" as const, message, parent_tool_use_id: null, session_id: "" };
}

let stage: RelayStage;
let cutter: Awaited<ReturnType<typeof openCutter>>;
let session: string;
beforeAll(async () => {
  stage = await RelayStage.open({ open: true }, { real: true });
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
  test("[RL10] is on the board when it is initialized, before the first prompt, and then runs a turn", async () => {
    expect(stage.view(session)).toMatchObject({ driver: "relay", dialled: { connected: true } });
    await stage.turn(session, "::say hello from afar");
    expect(await stage.texts(session)).toEqual(["hello from afar"]);
    expect(stage.view(session)).toMatchObject({ folder: stage.folder, state: "running" });
  });

  test("[RL10] asks for permissions, which a person denies and allows", async () => {
    const turn = stage.turn(
      session,
      `${bash("touch no.txt")}\n${bash("touch yes.txt")}\n::say asked`,
    );
    const first = await stage.ask(session);
    const no = { behavior: "deny", message: "not this" } as const;
    await stage.engine.asks.answer(first.id, { hash: first.hash, decision: no }, person);
    const second = await stage.ask(session, new Set([first.id]));
    await stage.engine.asks.answer(
      second.id,
      { hash: second.hash, decision: { behavior: "allow" } },
      person,
    );
    await turn;
    expect([stage.has("no.txt"), stage.has("yes.txt")]).toEqual([false, true]);
  });

  test("[RL10] asks a question, and gets an image", async () => {
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
    await stage.engine.prompts.send(
      session,
      crypto.randomUUID(),
      { text, images: [{ data: dot, name: "dot.png" }] },
      person,
    );
    const ask = await stage.ask(session);
    expect(ask.kind).toBe("question");
    const decision = { behavior: "answer", answers: { "Which colour?": "blue" } } as const;
    await stage.engine.asks.answer(ask.id, { hash: ask.hash, decision }, person);
    await until(() => stage.view(session).summary.status === "idle");
    const sent = JSON.stringify(stage.modelRequests);
    expect(sent).toContain('"media_type":"image/png"');
    expect(sent).toContain("blue");
  });

  test("[RL10] ends its turn when it is interrupted", async () => {
    const turn = stage.turn(session, `${bash("touch never.txt")}\n::say never`);
    await stage.ask(session);
    await stage.engine.sessions.interrupt(session, person);
    await turn;
    expect(stage.engine.asks.list()).toEqual([]);
    expect(await stage.texts(session)).not.toContain("never");
  });

  test("[RL11] keeps an open ask when the connection breaks, and gets the answer over the next one", async () => {
    const turn = stage.turn(session, `${bash("touch after-cut.txt")}\n::say it went on`);
    const ask = await stage.ask(session);
    cutter.cut();
    await until(() => stage.view(session).dialled?.connected === false);
    expect(stage.view(session).state).toBe("running");
    await stage.engine.asks.answer(
      ask.id,
      { hash: ask.hash, decision: { behavior: "allow" } },
      person,
    );
    await turn;
    expect(stage.has("after-cut.txt")).toBe(true);
    expect((await stage.texts(session)).at(-1)).toBe("it went on");
  });

  test("[RL20] is shown to a front end like agents-ui with its lines and the relay's status, and is prompted and approved there", async () => {
    using frontEnd = new RecordedFrontEnd(`${stage.ws}/ws`); // without a credential: the relay is open
    await frontEnd.see(({ text }) => text === "claude code is connected");
    const { conversation } = stage.engine.relaySessions.findRow(session)!;
    const approve = async (name: string, answer: (id: unknown) => object) => {
      const before = frontEnd.seen.length;
      frontEnd.send({
        type: "user",
        message: { role: "user", content: `${bash(`touch ${name}`)}\n::say ${name}` },
        parent_tool_use_id: null,
        session_id: conversation,
      });
      const asked = await frontEnd.see(({ type }) => type === "control_request", before);
      expect(asked).toMatchObject({ request: { subtype: "can_use_tool", tool_name: "Bash" } });
      frontEnd.send(answer(asked["request_id"]));
      await frontEnd.see(({ type }) => type === "result", before);
      expect(stage.has(name)).toBe(true);
    };
    const allow = { behavior: "allow" };
    await approve("agents-ui.txt", (request_id) => ({
      type: "control_response",
      request_id,
      permission: { allow: true },
    }));
    await approve("loop.txt", (request_id) => ({
      type: "control_response",
      response: { request_id, subtype: "success", response: allow },
    }));
    await approve("seed-002.txt", (request_id) => ({
      type: "control_response",
      request_id,
      response: { subtype: "success", result: { ...allow, updatedPermissions: [], message: "" } },
    }));
    frontEnd.send({ type: "control_request", request: { subtype: "interrupt" } }); // without an id
    frontEnd.send({ type: "control_request", request_id: "i1", request: { subtype: "interrupt" } });
    await frontEnd.see(
      ({ type, response }) => type === "control_response" && isAnswerTo("i1", response),
    );
    expect(frontEnd.seen.some(({ type }) => type === "stream_event")).toBe(true);
    expect(frontEnd.statuses).toEqual(["claude code is connected"]);
  });

  test("[RL30] is driven end to end by the official SDK for browsers; an ask is shared, and the first answer wins", async () => {
    const asked: string[] = [];
    const talk = query({
      prompt: prompts(`${bash("touch sdk.txt")}\n::say from the SDK`),
      websocket: {
        url: `${stage.ws}/sdk/${session}`,
        authMessage: { type: "auth", credential: { type: "oauth", token: await stage.ticket() } },
      },
      canUseTool: async (tool, input) => {
        asked.push(tool);
        return { behavior: "allow", updatedInput: input };
      },
    });
    const types: string[] = [];
    for await (const message of talk) {
      types.push(message.type);
      if (message.type === "result") break;
    }
    expect(asked).toEqual(["Bash"]);
    expect(types).toContain("assistant");
    expect(stage.has("sdk.txt")).toBe(true);
    expect((await stage.texts(session)).at(-1)).toBe("from the SDK");
  });

  test("[RL30] can be answered first by a person on the page, and hooks and MCP servers are refused by name", async () => {
    const attach = async (more: object) => {
      const client = new RecordedFrontEnd(`${stage.ws}/sdk/${session}`);
      await client.opened();
      client.send({ type: "auth", credential: { type: "oauth", token: await stage.ticket() } });
      const request = { subtype: "initialize", ...more };
      client.send({ type: "control_request", request_id: "i", request });
      return client;
    };
    using refused = await attach({ hooks: { PreToolUse: [] }, sdkMcpServers: ["mine"] });
    refused.send({ type: "user", message: { role: "user", content: "::say without its hooks" } });
    const why = "Not supported here: the hook PreToolUse, the MCP server mine.";
    const refusal = await refused.see(({ response }) => isAnswerTo("i", response));
    expect(refusal).toMatchObject({ response: { error: expect.stringContaining(why) } });
    expect(await refused.closed).toMatchObject({
      code: 4409,
      reason: expect.stringContaining(why),
    });
    using client = await attach({});
    const answered = await client.see(({ response }) => isAnswerTo("i", response));
    expect(answered).toMatchObject({ response: { response: { commands: expect.any(Array) } } });
    const turn = stage.turn(session, `${bash("touch page.txt")}\n::say the page was first`);
    const asked = await client.see(({ type }) => type === "control_request");
    const ask = await stage.ask(session);
    expect(asked["request_id"]).toBe(ask.id);
    await stage.engine.asks.answer(
      ask.id,
      { hash: ask.hash, decision: { behavior: "allow" } },
      person,
    );
    const cancelled = await client.see(({ type }) => type === "control_cancel_request");
    expect(cancelled["request_id"]).toBe(ask.id);
    client.send({
      type: "control_response",
      response: { subtype: "success", request_id: ask.id, response: { behavior: "deny" } },
    });
    await turn;
    expect(stage.has("page.txt")).toBe(true);
    expect(await stage.texts(session)).not.toContain("without its hooks");
    expect(client.seen.some(({ type }) => type === "result")).toBe(true);
  });

  // On a busy machine no answer came after the cuts, in one of several loaded runs; `npm test` must pass every
  // time, so `npm run test:versions` plays this.
  furtherTest("2.1.7")(
    "[RL13] twenty cuts at random places of its turns: no message twice, all in order, each loss told, and the next message is answered",
    async () => {
      const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
      let state = seed;
      const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
      const before = (await stage.texts(session)).length;
      const said: string[] = [];
      const first = cutter.cuts;
      for (let turn = 0; cutter.cuts < first + 20; turn += 1) {
        const words = Array.from({ length: 12 }, (_, step) => `${turn}.${step}`);
        said.push(...words);
        const text = words.map((word) => `::say ${word}\n::tool TodoWrite {"todos":[]}`).join("\n");
        await stage.engine.prompts.send(session, crypto.randomUUID(), { text, now: true }, person);
        const stop = cutter.cuts + 4;
        while (cutter.cuts < Math.min(stop, first + 20)) {
          // 2.1.7 leaves when three attempts in a row have failed, so no attempt is cut, only a line.
          await until(() => cutter.isInUse);
          await Bun.sleep(random() * 300);
          const cuts = cutter.cuts;
          cutter.cutWithin(Math.floor(random() * 3000));
          await Promise.race([
            until(() => cutter.cuts > cuts),
            Bun.sleep(500).then(() => cutter.cuts === cuts && cutter.cut()),
          ]);
        }
      }
      await until(() => cutter.isInUse);
      await until(() => stage.view(session).state === "running");
      // A message that comes while the last turn still goes on is told to the model as an aside, which plays
      // no script; when that turn is over, the same message is answered.
      let looks = 0;
      const isAnswered = async () => {
        const text = "::say all is well";
        if (looks++ % 100 === 0) {
          await stage.engine.prompts.send(session, crypto.randomUUID(), { text }, person);
        }
        return (await stage.texts(session)).includes("all is well");
      };
      const seen = () => ({ seed, isInUse: cutter.isInUse, session: stage.view(session) });
      await until('"all is well" is said', isAnswered, { seen });
      await until(() => stage.view(session).summary.status === "idle");
      const texts = (await stage.texts(session)).slice(before);
      const heard = texts.filter((text) => said.includes(text)); // of others only the beginning came
      expect({ seed, heard }).toEqual({ seed, heard: said.filter((text) => heard.includes(text)) });
      const told =
        JSON.stringify(await stage.items(session)).split("does not repeat it").length - 1;
      if (heard.length < said.length)
        expect({ seed, told: told > 0 }).toEqual({ seed, told: true });
    },
  );

  test("[RL12] continues its run with its open ask when the hub restarts", async () => {
    const { run } = stage.engine.relaySessions.findRow(session)!;
    const turn = stage.engine.prompts.send(
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
    await stage.engine.asks.answer(
      ask.id,
      { hash: ask.hash, decision: { behavior: "allow" } },
      person,
    );
    await until(async () => (await stage.texts(session)).at(-1) === "hub is back");
    expect(stage.has("after-hub.txt")).toBe(true);
    expect(stage.engine.relaySessions.findRow(session)).toMatchObject({ run, state: "running" });
  });
});
