import { describe, expect, test } from "bun:test";
import type { ControlRequest, Turn } from "@signalbox/agent";
import { until } from "@signalbox/testing/until";
import { openTurnAgent, echo, openRig, prompt, request, readWords } from "./rig.ts";

const uuids = ["1", "2", "3"].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`);

/** Creates an agent whose turns end when the test says so. */
function held() {
  const turns: { turn: Turn; end: (result: string) => void }[] = [];
  const createAgent = openTurnAgent(
    (turn) =>
      new Promise((end) => {
        turns.push({ turn, end });
      }),
  );
  return {
    createAgent,
    turns,
    turn: (at: number) => until(`turn ${at} begins`, () => turns[at]),
  };
}

describe("the loop", () => {
  test("[AG13] turns run one at a time, in the order of their prompts", async () => {
    const agent = held();
    await using rig = await openRig(agent.createAgent);
    await rig.send(prompt("one", uuids[0]));
    const first = await agent.turn(0);
    await rig.send(prompt("two", uuids[1]));
    await rig.lines.until(
      ({ state, command_uuid }) => state === "queued" && command_uuid === uuids[1],
    );
    expect(agent.turns).toHaveLength(1);
    first.end("1");
    const result = await rig.lines.type("result");
    expect(result).toMatchObject({ result: "1", result_index: 0 });
    (await agent.turn(1)).end("2");
    expect(await rig.lines.type("result")).toMatchObject({ result: "2", result_index: 1 });
    await rig.lines.until(({ state }) => state === "completed");
    expect(rig.lines.kinds).toEqual([
      "queued",
      "started",
      "init",
      "queued",
      "success",
      "completed",
      "started",
      "init",
      "success",
      "completed",
    ]);
  });

  test("[AG14] a prompt with a known uuid does not run again, and is echoed if echoes are enabled", async () => {
    await using rig = await openRig(echo, { args: ["--replay-user-messages"] });
    await rig.send(prompt("once", uuids[0]));
    await rig.lines.type("result");
    await rig.send(prompt("once", uuids[0]));
    const echoed = await rig.lines.until(({ isReplay }) => isReplay === true);
    expect(echoed).toMatchObject({ type: "user", uuid: uuids[0], isReplay: true });
    await rig.send(prompt("twice", uuids[1]));
    expect(await rig.lines.type("result")).toMatchObject({ result: "twice", result_index: 1 });
  });

  test("[AG13] waiting prompts are combined into one turn with one message and one result, and each is reported", async () => {
    const agent = held();
    await using rig = await openRig(agent.createAgent, { args: ["--replay-user-messages"] });
    await rig.send(prompt("work"));
    const { end } = await agent.turn(0);
    for (const [at, word] of ["one", "two", "three"].entries())
      await rig.send(prompt(word, uuids[at]));
    await rig.lines.until(({ command_uuid }) => command_uuid === uuids[2]);
    end("done");
    const { turn, end: endNext } = await agent.turn(1);
    expect(turn.prompts.map(({ content }) => content)).toEqual(["one", "two", "three"]);
    expect(turn.prompt).toMatchObject({ uuid: uuids[2], content: "one\ntwo\nthree" });
    endNext("all done");
    await rig.lines.until(({ result }) => result === "all done");
    await rig.lines.until(
      ({ state, command_uuid }) => state === "completed" && command_uuid === uuids[2],
    );
    const told = rig.lines.all.slice(
      rig.lines.all.findIndex(({ result }) => result === "done") + 1,
    );
    expect(told.map(({ type, state, isReplay }) => state ?? (isReplay ? "echo" : type))).toEqual([
      "echo",
      "echo",
      "started",
      "started",
      "started",
      "system",
      "echo",
      "result",
      "completed",
      "completed",
      "completed",
    ]);
    expect(told.find(({ type }) => type === "result")).toMatchObject({
      user_message_uuid: uuids[2],
      user_message_uuids: uuids,
    });
  });

  test("[AG14] of a prompt sent twice at once, the first starts before the repetition is echoed; a waiting one does not", async () => {
    const agent = held();
    await using rig = await openRig(agent.createAgent, { args: ["--replay-user-messages"] });
    const sent = [uuids[0], uuids[0], uuids[1], uuids[1]].map((uuid) =>
      rig.send(prompt("go", uuid)),
    );
    await Promise.all(sent);
    (await agent.turn(0)).end("1");
    (await agent.turn(1)).end("2");
    await rig.lines.until(
      ({ command_uuid, state }) => command_uuid === uuids[1] && state === "completed",
    );
    const of = (uuid: string | undefined) =>
      rig.lines.all.flatMap(({ command_uuid, state, isReplay, uuid: own }) => {
        if (command_uuid === uuid) return state;
        return isReplay === true && own === uuid ? "echo" : [];
      });
    expect(of(uuids[0])).toEqual(["queued", "started", "echo", "echo", "completed"]);
    expect(of(uuids[1])).toEqual(["queued", "started", "echo", "completed"]);
  });

  test("[AG52] a prompt that does not wait ends the turn and runs first; a later interrupt changes nothing", async () => {
    const agent = held();
    await using rig = await openRig(agent.createAgent);
    await rig.send(prompt("work"));
    const { turn, end } = await agent.turn(0);
    await rig.send(prompt("some time", uuids[0]));
    await rig.send({ ...prompt("at once", uuids[1]), priority: "now" });
    await rig.lines.until(({ command_uuid }) => command_uuid === uuids[1]);
    expect([turn.signal.aborted, turn.interruption.aborted]).toEqual([true, false]);
    await rig.send(request("i", "interrupt"));
    await rig.lines.type("control_response");
    expect(turn.interruption.aborted).toBe(false);
    end("cut short");
    const next = await agent.turn(1);
    expect(readWords(next.turn.prompts)).toBe("at once");
    expect(next.turn.signal.aborted).toBe(false);
    next.end("done");
    const last = await agent.turn(2);
    expect(readWords(last.turn.prompts)).toBe("some time");
    last.end("done");
  });

  test("[AG53] end_session aborts the turn, discards waiting prompts, and the program exits", async () => {
    const agent = held();
    await using rig = await openRig(agent.createAgent);
    await rig.send(prompt("work", uuids[0]));
    const { turn, end } = await agent.turn(0);
    turn.signal.addEventListener("abort", () => end("stopped"));
    await rig.send(prompt("and then", uuids[1]));
    await rig.send(request("e", "end_session"));
    const response = { subtype: "success", request_id: "e" };
    expect((await rig.lines.type("control_response"))["response"]).toEqual(response);
    expect(await rig.code).toBe(0);
    const told = rig.lines.all.flatMap(({ state, command_uuid }) =>
      state ? [[state, command_uuid]] : [],
    );
    expect(told.slice(-2)).toEqual([
      ["cancelled", uuids[0]],
      ["discarded", uuids[1]],
    ]);
  });

  test("[AG16] a waiting prompt can be withdrawn, and that is reported", async () => {
    const agent = held();
    await using rig = await openRig(agent.createAgent);
    await rig.send(prompt("work"));
    const { end } = await agent.turn(0);
    await rig.send(prompt("never mind", uuids[0]));
    await rig.send(request("w", "cancel_async_message", { message_uuid: uuids[0] }));
    expect(await rig.lines.until(({ state }) => state === "cancelled")).toMatchObject({
      command_uuid: uuids[0],
    });
    expect(await rig.lines.type("control_response")).toMatchObject({
      response: { response: { cancelled: true } },
    });
    end("done");
  });

  test("[AG14] answers of the host are echoed, too", async () => {
    const asking = openTurnAgent(async (_turn, { host }) =>
      JSON.stringify(await host.hook("h", {})),
    );
    await using rig = await openRig(asking, { args: ["--replay-user-messages"] });
    await rig.send(prompt("go"));
    const { request_id } = await rig.lines.type("control_request");
    const answer = {
      type: "control_response",
      response: { subtype: "success", request_id, response: { a: 1 } },
    };
    await rig.send(answer);
    expect(await rig.lines.type("control_response")).toEqual(answer);
  });

  test("[AG15] prompts that arrive during a turn are delivered once, at a boundary between tools", async () => {
    const agent = held();
    await using rig = await openRig(agent.createAgent, { args: ["--replay-user-messages"] });
    await rig.send(prompt("work", uuids[0]));
    const { turn, end } = await agent.turn(0);
    await rig.send(prompt("and this", uuids[1]));
    await rig.lines.until(({ command_uuid }) => command_uuid === uuids[1]);
    expect(turn.steering().map(({ content }) => content)).toEqual(["and this"]);
    expect(turn.steering()).toEqual([]);
    end("both");
    const result = await rig.lines.type("result");
    expect(result).toMatchObject({ result: "both", user_message_uuids: [uuids[0], uuids[1]] });
    expect(agent.turns).toHaveLength(1);
  });

  test("[AG15] a command that arrives during a turn runs in its own turn afterwards", async () => {
    const agent = held();
    await using rig = await openRig(agent.createAgent);
    await rig.send(prompt("work", uuids[0]));
    const { turn, end } = await agent.turn(0);
    await rig.send(prompt("/cost", uuids[1]));
    await rig.send(prompt("and this", uuids[2]));
    await rig.lines.until(({ command_uuid }) => command_uuid === uuids[2]);
    expect(turn.steering().map(({ content }) => content)).toEqual(["and this"]);
    end("both");
    expect(await rig.lines.type("result")).toMatchObject({ result: "both" });
    const next = await agent.turn(1);
    expect(next.turn.prompts.map(({ content }) => content)).toEqual(["/cost"]);
    next.end("little");
    expect(await rig.lines.type("result")).toMatchObject({ result: "little" });
  });

  test("[AG16] the answer to an interrupt lists the queued prompts, and the next prompt runs", async () => {
    const agent = held();
    await using rig = await openRig(agent.createAgent);
    await rig.send(prompt("one", uuids[0]));
    const { turn, end } = await agent.turn(0);
    turn.signal.addEventListener("abort", () => end("stopped"));
    await rig.send(prompt("two", uuids[1]));
    await rig.send(request("i", "interrupt"));
    const { response } = await rig.lines.type("control_response");
    expect(response).toMatchObject({ response: { still_queued: [uuids[1]] } });
    await rig.lines.type("result");
    expect(await rig.lines.type("command_lifecycle")).toMatchObject({ state: "cancelled" });
    (await agent.turn(1)).end("2");
    expect(await rig.lines.type("result")).toMatchObject({ result: "2" });
  });

  test("[AG16] settings that arrive together are applied in their order, however long each takes", async () => {
    const set: unknown[] = [];
    const control = async ({ model }: ControlRequest) => {
      for (let at = 0; at < (model === "slow" ? 5 : 0); at++) await new Promise(setImmediate);
      set.push(model);
      return {};
    };
    await using rig = await openRig(async (context) => ({ ...(await echo(context)), control }));
    const ask = (id: string, model: string) => rig.send(request(id, "set_model", { model }));
    await Promise.all([ask("a", "slow"), ask("b", "fast")]);
    for (const request_id of ["a", "b"]) {
      expect(await rig.lines.type("control_response")).toMatchObject({ response: { request_id } });
    }
    expect(set).toEqual(["slow", "fast"]);
  });

  test("[AG17] closing the input lets remaining prompts finish; the exit code shows the last result", async () => {
    const failing = await openRig(() => ({
      turn: () => Promise.resolve({ subtype: "error_max_turns", is_error: true, num_turns: 1 }),
    }));
    await failing.send(prompt("go"));
    await failing.lines.type("result");
    await failing.host.close();
    expect(await failing.code).toBe(1);
    await failing[Symbol.asyncDispose]();

    await using rig = await openRig(echo);
    await rig.send(prompt("one"));
    await rig.send(prompt("two"));
    await rig.lines.type("result");
    await rig.lines.type("result");
    await rig.host.close();
    expect(await rig.code).toBe(0);
  });

  test("[AG18] the program exits after the idle time set in the environment", async () => {
    const environment = { CLAUDE_CODE_EXIT_AFTER_STOP_DELAY: "20" };
    await using rig = await openRig(echo, { environment });
    await rig.send(prompt("go"));
    await rig.lines.type("result");
    expect(await rig.code).toBe(0);
  });

  test("[AG18] that does not interrupt work beside turns", async () => {
    const environment = { CLAUDE_CODE_EXIT_AFTER_STOP_DELAY: "5" };
    const work = Promise.withResolvers<void>();
    let isDone = false;
    let asked = 0;
    const settled = () => {
      asked += 1; // the delay has passed
      return isDone ? undefined : work.promise;
    };
    await using rig = await openRig(
      openTurnAgent(({ prompts }) => Promise.resolve(readWords(prompts)), {
        waitUntilSettled: settled,
      }),
      { environment },
    );
    await rig.send(prompt("go"));
    await rig.lines.type("result");
    await until("the delay has passed", () => asked > 0);
    await rig.send(prompt("still there?", uuids[1]));
    await rig.lines.type("result");
    isDone = true;
    work.resolve();
    expect(await rig.code).toBe(0);
  });

  test("[AG19] a turn that returns nothing is reported as an error, and the loop continues", async () => {
    const nothing = (() => ({ turn: () => Promise.resolve() })) as unknown as typeof echo;
    await using rig = await openRig(nothing);
    for (const nth of [0, 1]) {
      await rig.send(prompt("one", uuids[nth]));
      const result = await rig.lines.type("result");
      expect(JSON.stringify(result)).toContain("returned nothing");
    }
  });

  test("[AG19] a turn that throws ends with an error, and the loop continues", async () => {
    let rounds = 0;
    const moody = openTurnAgent(() =>
      ++rounds === 1 ? Promise.reject(new Error("a bad day")) : Promise.resolve("better"),
    );
    await using rig = await openRig(moody);
    await rig.send(prompt("one"));
    expect(await rig.lines.type("result")).toMatchObject({
      subtype: "error_during_execution",
      is_error: true,
      errors: ["a bad day"],
    });
    await rig.send(prompt("two"));
    expect(await rig.lines.type("result")).toMatchObject({ result: "better" });
  });

  test("[AG20] partial messages, request status and sign-in status are sent if the host wants them", async () => {
    const talkative = openTurnAgent(({ say }) => {
      say({ type: "system", subtype: "status", status: "requesting" });
      say({ type: "stream_event", event: { type: "message_start" }, parent_tool_use_id: null });
      say({ type: "auth_status", isAuthenticating: false, output: [] });
      say({ type: "system", subtype: "status", status: "compacting" });
      return Promise.resolve("");
    });
    const kindsWith = async (args: string[]) => {
      await using rig = await openRig(talkative, { args });
      await rig.send(prompt("go"));
      await rig.lines.type("result");
      return rig.lines.all.map(({ type, status }) => status ?? type);
    };
    expect(await kindsWith([])).toEqual(["system", "compacting", "result"]);
    expect(await kindsWith(["--include-partial-messages", "--enable-auth-status"])).toEqual([
      "system",
      "requesting",
      "stream_event",
      "auth_status",
      "compacting",
      "result",
    ]);
  });

  test("[AG21] hosts that follow the session's state receive it", async () => {
    const asking = openTurnAgent(async (_turn, { host }) => {
      const asked = { tool_name: "Bash", input: {}, tool_use_id: "t" };
      return (await host.askPermission(asked)).behavior;
    });
    const environment = { CLAUDE_CODE_SDK_READS_SESSION_STATE: "1" };
    await using rig = await openRig(asking, { environment });
    await rig.send(prompt("go"));
    const { request_id } = await rig.lines.type("control_request");
    const response = { subtype: "success", request_id, response: { behavior: "allow" } };
    await rig.send({ type: "control_response", response });
    await rig.lines.until(({ state }) => state === "idle");
    expect(rig.lines.all.flatMap(({ state }) => state ?? [])).toEqual([
      "running",
      "requires_action",
      "running",
      "idle",
    ]);
    expect(rig.lines.all[0]).toMatchObject({
      subtype: "session_state_changed",
      sdk_host_only: true,
    });
  });

  test("[AG48] the state of signing in is sent after the answer to initialize, before prompts that came with it", async () => {
    const stands = { isAuthenticating: false, output: [], error: "no key" };
    const createAgent = openTurnAgent(() => Promise.resolve(""), { authStatus: () => stands });
    const said = async (args: string[]) => {
      await using rig = await openRig(createAgent, { args });
      await rig.send(request("one", "initialize"));
      await rig.send(prompt("go", uuids[0]));
      await rig.lines.type("result");
      return rig.lines.all.slice(0, 3);
    };
    const [answer, status, queued] = await said(["--enable-auth-status"]);
    expect([answer?.["type"], queued?.["state"]]).toEqual(["control_response", "queued"]);
    expect(status).toMatchObject({ type: "auth_status", ...stands });
    expect((await said([])).map(({ type }) => type)).not.toContain("auth_status");
  });

  test("[AG48] a prompt that came with a failed initialize still runs", async () => {
    const initialize = () => Promise.reject(new Error("not like this"));
    await using rig = await openRig(openTurnAgent(() => Promise.resolve("done"), { initialize }));
    await rig.send(request("one", "initialize"));
    await rig.send(prompt("go"));
    expect(await rig.lines.type("control_response")).toMatchObject({
      response: { subtype: "error", error: "not like this" },
    });
    expect(await rig.lines.type("result")).toMatchObject({ result: "done" });
  });

  test("[AG23] a turn that the agent requests runs like any other", async () => {
    const waking = openTurnAgent(({ prompts }, { requestTurn: wake }) => {
      const text = readWords(prompts);
      if (text === "go") wake({ uuid: crypto.randomUUID(), content: "the task ended", line: {} });
      return Promise.resolve(text);
    });
    await using rig = await openRig(waking);
    await rig.send(prompt("go"));
    expect(await rig.lines.type("result")).toMatchObject({ result: "go" });
    expect(await rig.lines.type("result")).toMatchObject({ result: "the task ended" });
  });

  test("[AG23] a turn requested before the agent exists runs first, after the answer to initialize", async () => {
    await using rig = await openRig(async (context) => {
      context.requestTurn({ uuid: crypto.randomUUID(), content: "first", line: {} });
      await new Promise(setImmediate);
      return echo(context);
    });
    await rig.send(request("i", "initialize"));
    await rig.send(prompt("second"));
    expect(await rig.lines.type("control_response")).toBeDefined();
    expect(await rig.lines.type("result")).toMatchObject({ result: "first" });
    expect(await rig.lines.type("result")).toMatchObject({ result: "second" });
  });
});
