import { expect, setDefaultTimeout, test } from "bun:test";
import { HubProcess } from "./hub-process.ts";
import { ScriptedAgent } from "./scripted-agent.ts";
import { ScriptedDial } from "./scripted-dial.ts";
import { until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const said = (text: string, pad = "") => ({
  type: "assistant",
  pad,
  message: { id: `m-${text}`, role: "assistant", content: [{ type: "text", text }] },
  uuid: crypto.randomUUID(),
});
/** Words are not stored one by one, but counted. */
const word = { type: "stream_event", event: { type: "ping" }, uuid: crypto.randomUUID() };
/** Something that the hub answers without a person: a line to the agent. */
const refusedRequest = (request_id: string) => ({
  type: "control_request",
  request_id,
  request: { subtype: "nobody_knows_this" },
});

test("[RL14] after a hub that could not store and one that was killed, the next hub stores once what they had written down, and the agents' runs continue", async () => {
  await using hub = await HubProcess.open();
  const [far, plain] = [await hub.invite(), await hub.invite()];
  using dial = new ScriptedDial(() => far.url, far.secret);
  const bearer = { authorization: `Bearer ${plain.secret}` };
  let agent = new ScriptedAgent(plain.url, bearer);
  const isRunning = async (id: string) => (await hub.session(id)).state === "running";
  await until(async () => (await isRunning(far.session)) && (await isRunning(plain.session)));
  const run = (await hub.session(plain.session)).run?.run;

  const texts: string[] = [];
  const messages: ReturnType<typeof said>[] = [];
  let lines = 1; // the answer to `initialize`
  const speak = (count: number, size: number) => {
    for (let each = 0; each < count; each += 1) {
      const [text, pad] = [`${texts.length}`, "x".repeat(size)];
      texts.push(text);
      messages.push(said(text, pad));
      dial.say(messages.at(-1)!);
      dial.say(word);
      lines += 2;
      agent.say(messages.at(-1)!);
    }
    dial.say(refusedRequest(`r${lines}`));
    lines += 1;
  };
  const arrived = async (id: string) => {
    await until(async () => (await hub.texts(id)).length >= texts.length);
    expect(await hub.texts(id)).toEqual(texts);
  };
  const answers = () => {
    const ids = dial.given.map(
      (line) => /"control_response".*"request_id":"(r\d+)"/.exec(line)?.[1],
    );
    return new Set(ids.filter((id) => id !== undefined)).size;
  };

  speak(3, 0);
  await until(() => dial.acked === lines);
  for (const [round, signal] of (["SIGTERM", "SIGKILL"] as const).entries()) {
    const store = hub.holdStore();
    // What exceeds 16 MiB a session goes to the disk at once; less when the hub is stopped.
    speak(40, signal === "SIGKILL" ? 500_000 : 10);
    await until(() => answers() === round + 2);
    if (signal === "SIGKILL") await until(() => hub.spilled > 32_000_000);
    await hub.end(signal);
    expect(hub.spilled).toBeGreaterThan(0);
    store[Symbol.dispose]();
    await hub.start();
    agent.break();
    const lastSaid = { "x-last-request-id": messages.at(-1)?.uuid ?? "" };
    do {
      agent = new ScriptedAgent(plain.url, { ...bearer, ...lastSaid }, true);
    } while (!(await agent.entered)); // until what was left is stored it is told to come again
    // Who is killed has had some in its memory alone: an agent that speaks plainly has to repeat them.
    if (signal === "SIGKILL") agent.say(...messages.slice(-60));
    speak(1, 0);
    await arrived(far.session);
    await until(() => dial.acked === lines);
  }
  expect(await hub.session(far.session)).toMatchObject({
    state: "running",
    run: { run: dial.life },
  });
  expect(await hub.session(plain.session)).toMatchObject({ state: "running", run: { run } });
  await arrived(plain.session);
  expect(answers()).toBe(5);
  expect(hub.spilled).toBe(0);
  agent[Symbol.dispose]();
});

test("[RL14] an agent of dial that was not ready when the hub was killed begins its run with the next hub", async () => {
  await using hub = await HubProcess.open();
  const { session, secret, url } = await hub.invite();
  using dial = new ScriptedDial(() => url, secret);
  dial.answers = false;
  await until(() => dial.given.length === 1);
  expect((await hub.session(session)).state).toBe("starting");
  await hub.end("SIGKILL");
  dial.answers = true;
  await hub.start();
  await until(async () => (await hub.session(session)).state === "running");
  expect((await hub.session(session)).run?.run).toBe(dial.life);
  dial.say(said("hello"));
  await until(async () => (await hub.texts(session)).length === 1);
});

test("[RL50] the number of a line that a killed hub had sent and not stored is used again, and an answer that waits over another restart reaches the agent", async () => {
  await using hub = await HubProcess.open();
  const { session, secret, url } = await hub.invite();
  let isAway = false;
  using dial = new ScriptedDial(() => (isAway ? "ws://127.0.0.1:9/" : url), secret);
  const isConnected = async () => (await hub.session(session)).dialled?.connected === true;
  const isGiven = (text: string) => dial.given.some((line) => line.includes(text));
  await until(async () => (await hub.session(session)).state === "running");
  const store = hub.holdStore();
  void hub.call("POST", `/api/sessions/${session}/interrupt`, {}).catch(() => {}); // it ends with the hub
  await until(() => isGiven('"interrupt"'));
  await hub.end("SIGKILL");
  store[Symbol.dispose]();
  await hub.start();
  await until(isConnected);

  const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } };
  dial.say({ type: "control_request", request_id: "ask-1", request });
  const asks = () => hub.call<{ id: string; hash: string }[]>("GET", "/api/asks");
  await until(async () => (await asks()).length === 1);
  isAway = true;
  dial.break();
  await until(async () => !(await isConnected()));
  const [{ id, hash } = { id: "", hash: "" }] = await asks();
  const decision = { behavior: "allow" };
  await hub.call("POST", `/api/asks/${id}/answer`, { hash, decision });
  const stored = () => hub.call<object>("GET", `/api/sessions/${session}/lines?limit=500`);
  await until(async () => JSON.stringify(await stored()).includes("updatedInput"));
  await hub.end("SIGTERM");
  await hub.start();
  isAway = false;
  await until(() => isGiven("ask-1"));
});
