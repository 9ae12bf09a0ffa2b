import { connect, importDeviceKey } from "@signalbox/client";
import { newDevice } from "@signalbox/testing/signed-requests";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DeviceRole, PairedDevice } from "@signalbox/api";
import { relayExtension } from "@signalbox/relay";
import { openWhole, settle } from "@signalbox/testing/whole-hub";
import { RecordedFrontEnd } from "./front-ends.ts";
import { ScriptedAgent } from "./scripted-agent.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const touch = (name: string) => `::tool Bash ${JSON.stringify({ command: `touch ${name}` })}`;
/** As seed 002 has answers: the id outside, and `result`. */
const seeded = (request_id: unknown, result: object) => ({
  type: "control_response",
  request_id,
  response: { subtype: "success", result },
});
const hook = (permissionDecision: string) => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision,
    permissionDecisionReason: "said by a hook",
  },
});

test("[RL30] options that an agent gets only once, when it is initialized, are refused by name to a second host before its prompt is carried out", async () => {
  await using stage = await RelayStage.open();
  const { session, secret, url } = await stage.invite();
  using agent = new ScriptedAgent(url, { authorization: `Bearer ${secret}` });
  await stage.running(session);
  const headers = await stage.attached(`/sdk/${session}`);
  using client = new RecordedFrontEnd(`${stage.ws}/sdk/${session}`, headers);
  await client.opened();
  const schema = { type: "object" };
  const told = { jsonSchema: schema, systemPrompt: ["be brief"], agents: { a: {} }, skills: null };
  const request = { subtype: "initialize", ...told };
  client.send({ type: "control_request", request_id: "i", request });
  client.send({ type: "user", message: { role: "user", content: "unheard" }, session_id: "" });
  const why = "Not supported here: the schema for results, systemPrompt, agents.";
  expect(await client.closed).toMatchObject({ code: 4409, reason: expect.stringContaining(why) });
  await stage.engine.prompts.send(session, crypto.randomUUID(), { text: "heard" }, person);
  await agent.hears(({ type }) => type === "user");
  expect(JSON.stringify(agent.heard)).not.toContain("unheard");
});

test("[RL30] a second host wakes a session that is parked on the driver sdk, a viewer does not, and the host can answer in the form of hooks", async () => {
  await using whole = await openWhole(relayExtension({ dialIn: {} }));
  const { hub, folder } = whole;
  const { admin } = await settle(whole);
  const { engine } = hub;
  /** A ticket of a new device's: an approver's lets its client answer the asks of this session. */
  const getTicket = async (role: DeviceRole, session: string) => {
    const { code } = (await admin("POST", "/api/pairings", { role })).body as { code: string };
    const { publicKey, createKey } = newDevice();
    const made = await admin("POST", "/api/pair", { code, name: role, publicKey });
    const paired = made.body as PairedDevice;
    const own = { ...(await importDeviceKey(createKey(paired.device.id))), hub: paired.hub };
    using client = connect({ url: hub.url, device: own });
    return client.sdkTicket(session, Date.now() + 600_000);
  };
  const { id } = await engine.sessions.create(
    crypto.randomUUID(),
    { folder, driver: "sdk", policy: "supervised", prompt: { text: "::say My name is Ada." } },
    person,
  );
  await until(() => engine.sessions.get(id).summary.turns === 1);
  await engine.sessions.park(id, person);
  const at = `${hub.url.replace("http", "ws")}/sdk/${id}`;
  const initialize = async (ticket: string) => {
    const client = new RecordedFrontEnd(`${at}/${ticket}`);
    await client.opened();
    const request = { subtype: "initialize" };
    client.send({ type: "control_request", request_id: "i", request });
    await client.see(({ type }) => type === "control_response");
    return client;
  };
  using viewer = await initialize(await getTicket("viewer", id));
  expect(engine.sessions.get(id).state).toBe("parked");
  using client = await initialize(await getTicket("approver", id));
  expect(engine.sessions.get(id)).toMatchObject({ state: "running", run: { driver: "sdk" } });

  const lines = ["allowed", "denied", "approved", "blocked"].map((name) => touch(name));
  const content = [...lines, "::say Over."].join("\n");
  client.send({ type: "user", message: { role: "user", content }, session_id: "" });
  const answers = [
    hook("allow"),
    hook("deny"),
    { decision: "approve", reason: "" },
    { decision: "block", reason: "no" },
  ];
  const asked = new Set<unknown>();
  for (const answer of answers) {
    const request = await client.see(
      ({ type, request_id }) => type === "control_request" && !asked.has(request_id),
    );
    expect(request).toMatchObject({ request: { subtype: "can_use_tool", tool_name: "Bash" } });
    asked.add(request["request_id"]);
    client.send(seeded(request["request_id"], answer));
  }
  await client.see(({ type }) => type === "result");
  const made = ["allowed", "denied", "approved", "blocked"].filter((name) =>
    existsSync(join(folder, name)),
  );
  expect(made).toEqual(["allowed", "approved"]);
  await until(() => engine.sessions.get(id).summary.turns === 2);
  expect(viewer.seen.some(({ type }) => type === "result")).toBe(true);
});
