import { expect, setDefaultTimeout, test } from "bun:test";
import { connect, type DeviceCredential, HubError, importDeviceKey } from "@signalbox/client";
import { hubProofText, streamProofText } from "@signalbox/api/proof";
import { createDeviceSigningKey, createSigningKey } from "@signalbox/runner/keys";
import { until } from "@signalbox/testing/until";
import { SESSION } from "./items.ts";
import { EPOCH, HUB, scriptedHub } from "./scripted-hub.ts";

setDefaultTimeout(180_000);

const own = createSigningKey();
const device = createDeviceSigningKey(HUB);
const credential = async (): Promise<DeviceCredential> => ({
  ...(await importDeviceKey(device.text)),
  hub: { id: HUB, key: own.publicKey },
});
const quick = { firstRetryMs: 1, mostRetryMs: 2 };

/** Starts a hub that holds the key, or an impostor that does not. */
function hubWith(key: typeof own, port?: number) {
  const hub = scriptedHub(port);
  hub.on("POST /api/identity", ({ body }) => {
    const { challenge } = body as { challenge: string };
    const nonce = "n".repeat(46);
    const text = hubProofText({ challenge, host: `127.0.0.1:${hub.port}`, nonce });
    return Response.json({ hub: HUB, key: own.publicKey, nonce, signature: key.sign(text) });
  });
  hub.on("GET /api/sessions", () => Response.json([]));
  hub.on(`POST /api/sessions/${SESSION}/prompts`, () => Response.json({ id: "x" }));
  return hub;
}
const welcome = (ticket: string, port: number) => ({
  type: "welcome",
  version: 1,
  hub: HUB,
  epoch: EPOCH,
  auditHead: "head",
  device: { id: HUB, name: "a test", role: "driver", createdAt: 0, expiresAt: 1, you: true },
  proof: own.sign(streamProofText(ticket, `127.0.0.1:${port}`)),
});

test("[HD6] without a live link the hub proves its identity before each request, even right after another", async () => {
  const hub = hubWith(own);
  const client = connect({ url: hub.url, device: await credential(), timing: quick, tries: 1 });
  await client.sessions();
  await hub.stop();
  await using impostor = hubWith(createSigningKey(), hub.port);
  const failure: unknown = await client.send(SESSION, { text: "private" }).catch((e: unknown) => e);
  expect(HubError.is(failure, "not-the-hub")).toBe(true);
  expect(impostor.calls.map(({ path, authorization }) => [path, authorization])).toEqual([
    ["/api/identity", null],
  ]);
});

test("[HD6] losing the live link invalidates the hub's proof at once, even if views are told later", async () => {
  const hub = hubWith(own);
  using client = connect({
    url: hub.url,
    device: await credential(),
    timing: quick,
    tries: 1,
    schedule: () => {}, // This page is never looked at, so it is notified late.
  });
  client.goLive();
  const connection = await hub.connection();
  connection.send(welcome("ticket-1", hub.port));
  await until("it is live", () => client.state.kind === "live");
  await client.sessions();
  await client.sessions();
  expect(hub.calls.filter(({ path }) => path === "/api/identity")).toHaveLength(1);
  await hub.stop();
  await using impostor = hubWith(createSigningKey(), hub.port);
  await until("it has dialed again", () => impostor.calls.length > 2);
  await client.send(SESSION, { text: "private" }).catch(() => {});
  expect(new Set(impostor.calls.map(({ path }) => path))).toEqual(new Set(["/api/identity"]));
  expect(impostor.calls.filter(({ authorization }) => authorization !== null)).toEqual([]);
});

test("[HD6] data from a stream is ignored until the hub has proven its identity", async () => {
  await using hub = hubWith(own);
  using client = connect({ url: hub.url, device: await credential(), timing: quick });
  using board = client.watchBoard();
  const session = { id: SESSION, createdAt: 1, updatedAt: 1, summary: {} };
  const made = { type: "board", rev: 1, reset: true, sessions: [session], asks: [], gone: [] };
  const first = await hub.connection();
  first.send(made);
  first.send(
    Object.assign(welcome("ticket-1", hub.port), { proof: createSigningKey().sign("no") }),
  );
  first.send(made);
  const second = await hub.connection();
  second.send(made);
  second.close(4401, "This device was revoked.");
  const third = await hub.connection();
  expect(board.view.sessions).toEqual([]);
  expect(first.received.filter(({ type }) => type !== "hello")).toEqual([]);
  third.send(welcome("ticket-3", hub.port));
  await third.take("watch-board");
  third.send(Object.assign(made, { sessions: [] }));
  await until("it is live", () => client.state.kind === "live");
  expect(board.view.sessions).toEqual([]);
});
