import { expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";
import type { HubDecision } from "@signalbox/api";
import { decisionText } from "@signalbox/api/proof";
import { hashAsk, createAskId } from "../../src/asks/ask-identity.ts";
import { createSigningKey } from "../../src/link/keys.ts";
import { obey, openRunner, startFake } from "./runner-stage.ts";

setDefaultTimeout(180_000);

const session = "s";
const run = "run-of-s";
const input = { command: "date" };
const request = { subtype: "can_use_tool", tool_name: "Bash", input, tool_use_id: "call-1" };
const id = createAskId(session, run, "q1");
const hash = hashAsk(session, "Bash", input, tmpdir());

test("[HD14] the hub alone can allow nothing: not without a signature, not with a foreign one, and nothing else than was signed", async () => {
  await using stage = await openRunner({ verifyDecisions: true });
  const { hub } = stage;
  const desk = createSigningKey();
  await hub.sendText(
    JSON.stringify({ type: "approvers", keys: [{ id: "desk", publicKey: desk.publicKey }] }),
  );
  await hub.order(startFake(session, "obeys"));
  await hub.order(obey(session, { ask: { request_id: "q1", request } }));
  await hub.note(session, "ask_opened");
  const order = {
    kind: "decide",
    session,
    run,
    requestId: "q1",
    by: "desk",
    how: "answered",
  } as const;
  const allowing = { ...order, decision: { behavior: "allow", input } } as const;
  const allow: HubDecision = { behavior: "allow" };
  const signedBy = (key: typeof desk, decision = allow, of = id) => ({
    by: "desk",
    signature: key.sign(decisionText(of, hash, decision)),
  });
  const refused = { problem: { code: "not-signed" } };
  expect(await hub.order(allowing)).toMatchObject(refused);
  const stranger = { ...allowing, answer: allow, signed: signedBy(createSigningKey()) };
  expect(await hub.order(stranger)).toMatchObject(refused);
  const other = {
    ...allowing,
    answer: allow,
    signed: signedBy(desk, allow, createAskId(session, run, "q0")),
  };
  expect(await hub.order(other)).toMatchObject(refused);
  const swapped: HubDecision = { behavior: "allow", input: { command: "rm -rf" } };
  expect(await hub.order({ ...allowing, answer: swapped, signed: signedBy(desk) })).toMatchObject(
    refused,
  );
  expect(hub.texts(session, "host").join("\n")).not.toContain('"behavior":"allow"');
  // What the agent is told is made of what was signed, whatever else the order says.
  const told = { behavior: "allow", input: { command: "rm -rf" } } as const;
  const right = { ...order, decision: told, answer: allow, signed: signedBy(desk) };
  expect(await hub.order(right)).not.toHaveProperty("problem");
  await hub.note(session, "ask_closed");
  const answered = hub.texts(session, "host").filter((line) => line.includes('"behavior":"allow"'));
  expect(answered).toHaveLength(1);
  expect(answered[0]).toContain('"updatedInput":{"command":"date"}');
});

test("[HD14] a denial needs no signature, because it allows nothing", async () => {
  await using stage = await openRunner({ verifyDecisions: true });
  const { hub } = stage;
  await hub.order(startFake(session, "obeys"));
  await hub.order(obey(session, { ask: { request_id: "q1", request } }));
  await hub.note(session, "ask_opened");
  const decision = { behavior: "deny", message: "Nobody answered in time." } as const;
  const order = { kind: "decide", session, run, requestId: "q1", decision } as const;
  expect(await hub.order({ ...order, by: "the time limit", how: "expired" })).not.toHaveProperty(
    "problem",
  );
});
