import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeviceRole, PairedDevice } from "@signalbox/api";
import { embeddingOrigins } from "@signalbox/api/schemas";
import { COMMAND_HEADER } from "@signalbox/api/constants";
import { type RunningHub, startHub } from "@signalbox/hub";
import { authorization, newDevice } from "@signalbox/testing/signed-requests";
import { rawRequest } from "@signalbox/testing/raw-request";
import { openStream } from "./stage.ts";

setDefaultTimeout(180_000);

const ORIGIN = "https://app.example.com:8443";
const LOCAL = "http://localhost:3000";

const data = mkdtempSync(join(tmpdir(), "signalbox-embedding-"));
let hub: RunningHub;
const keys = {} as Record<DeviceRole, string>;

interface Sent {
  readonly key?: string | undefined;
  readonly origin?: string | undefined;
  readonly body?: unknown;
}

async function send(method: string, path: string, { key, origin, body }: Sent = {}) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const response = await fetch(hub.url + path, {
    method,
    headers: {
      ...(key && { authorization: await authorization(hub.url, key, method, path, text) }),
      ...(origin !== undefined && { origin, "sec-fetch-site": "cross-site" }),
      ...(body !== undefined && { "content-type": "application/json" }),
      [COMMAND_HEADER]: randomUUID(),
    },
    ...(body !== undefined && { body: text }),
  });
  const received = await response.text();
  const value = received.startsWith("{") ? (JSON.parse(received) as { code?: string }) : {};
  return { status: response.status, headers: response.headers, code: value.code, value };
}

async function invite(role: DeviceRole): Promise<string> {
  const { value } = await send("POST", "/api/pairings", { key: keys.admin, body: { role } });
  return (value as { code: string }).code;
}

async function pair(code: string, origin?: string) {
  const { publicKey, createKey } = newDevice();
  const body = { code, name: "a device", publicKey };
  const answer = await send("POST", "/api/pair", { body, origin });
  const key = answer.status === 201 ? createKey((answer.value as PairedDevice).device.id) : "";
  return { ...answer, key };
}

const list = (origins: readonly string[], key = keys.approver) =>
  send("PUT", "/api/embedding-origins", { key, body: { origins } });

/** Whether the hub lets a stream in. */
async function isWelcomed(stream: ReturnType<typeof openStream>): Promise<boolean> {
  await stream.opened;
  if (stream.socket.readyState !== WebSocket.OPEN) return false;
  stream.send({ type: "hello", version: 1 });
  const welcomed = stream.frame("welcome").then(() => true);
  return Promise.race([welcomed, stream.closed.then(() => false)]);
}

async function openTicket(key: string, origin: string) {
  const { value } = await send("POST", "/api/tickets", { key });
  const { ticket } = value as { ticket: string };
  return openStream(hub.url, ticket, { origin });
}

beforeAll(async () => {
  hub = await startHub({ data, version: "0.0.0", port: 0 });
  keys.admin = (await pair(hub.firstPairing()?.code ?? "")).key;
  for (const role of ["viewer", "driver", "approver"] as const)
    keys[role] = (await pair(await invite(role))).key;
  expect((await list([ORIGIN, LOCAL])).status).toBe(204);
});
afterAll(async () => {
  await hub.stop();
  rmSync(data, { recursive: true, force: true });
});

describe("a page at a listed origin", () => {
  test("[HH90] uses the API and the stream; answers allow exactly its origin, and no credentials of the browser", async () => {
    for (const origin of [ORIGIN, LOCAL]) {
      for (const key of [keys.viewer, keys.driver]) {
        const { status, headers } = await send("GET", "/api/sessions", { key, origin });
        expect([status, headers.get("access-control-allow-origin")]).toEqual([200, origin]);
        expect(headers.get("access-control-allow-credentials")).toBeNull();
        expect(headers.get("vary")?.toLowerCase()).toContain("origin");
        expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
        expect(headers.get("x-frame-options")).toBe("DENY");
      }
      using stream = await openTicket(keys.viewer, origin);
      expect(await isWelcomed(stream)).toBe(true);
    }
    const refused = await send("GET", "/api/sessions", { origin: ORIGIN });
    expect([refused.status, refused.code]).toEqual([401, "no-credential"]);
    expect(refused.headers.get("access-control-allow-origin")).toBe(ORIGIN); // it can read why
  });

  test("[HH90] is told before a request what it may send, and other pages are not", async () => {
    const ask = async (origin: string, path = "/api/sessions") => {
      const head = `Host: ${new URL(hub.url).host}\r\nOrigin: ${origin}\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n`;
      return (await rawRequest(hub.port, `OPTIONS ${path} HTTP/1.1\r\n${head}\r\n`)).toLowerCase();
    };
    const told = await ask(ORIGIN);
    expect(told).toStartWith("http/1.1 204");
    expect(told).toContain(`access-control-allow-origin: ${ORIGIN}\r\n`);
    expect(told).toContain(
      "access-control-allow-headers: authorization, content-type, signalbox-command",
    );
    expect(told).not.toContain("access-control-allow-credentials");
    for (const answer of [await ask("https://evil.example"), await ask(ORIGIN, "/")]) {
      expect(answer).toStartWith("http/1.1 403");
      expect(answer).not.toContain("access-control");
    }
  });

  test("[HH90] reaches nothing but the API: no page, no link, no socket of the relay", async () => {
    for (const path of ["/", "/index.html", "/health", "/api/runner", "/ws", "/sdk/a"]) {
      const { status, code, headers } = await send("GET", path, {
        key: keys.driver,
        origin: ORIGIN,
      });
      expect([path, status, code]).toEqual([path, 403, "wrong-origin"]);
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("a page at any other origin", () => {
  const others = [
    "null",
    "https://evil.example",
    "https://app.example.com",
    "https://app.example.com:844",
    "https://app.example.com:84430",
    "http://app.example.com:8443",
    "https://app.example.com:8443/",
    "https://app.example.com:8443.evil.example",
    "https://evil.app.example.com:8443",
    "https://evilapp.example.com:8443",
    "https://app.example.com.:8443",
    "https://APP.example.com:8443",
    `${ORIGIN}, https://evil.example`,
    "http://localhost:30000",
    "http://localhost",
    "http://127.0.0.1:3000",
    "*",
    "",
  ];
  test.each(others)("[HH90] %j is refused, on routes and sockets", async (origin) => {
    for (const key of [keys.viewer, keys.driver]) {
      const { status, code, headers } = await send("GET", "/api/sessions", { key, origin });
      expect([status, code]).toEqual([403, "wrong-origin"]);
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
    using stream = await openTicket(keys.viewer, origin);
    expect(await isWelcomed(stream)).toBe(false);
  });
});

describe("from a listed origin", () => {
  test("[HH91] only a viewer's and a driver's device works, with a ticket too", async () => {
    for (const key of [keys.approver, keys.admin]) {
      const { status, code } = await send("GET", "/api/sessions", { key, origin: ORIGIN });
      expect([status, code]).toEqual([403, "embedding-refused"]);
      using stream = await openTicket(key, ORIGIN);
      expect(await isWelcomed(stream)).toBe(false);
      expect((await send("GET", "/api/sessions", { key })).status).toBe(200);
    }
  });

  test("[HH91] only codes for a viewer and a driver pair a device, others are not used up, and the audit log names the origin", async () => {
    const code = await invite("approver");
    const refused = await pair(code, ORIGIN);
    expect([refused.status, refused.code]).toEqual([403, "embedding-refused"]);
    expect((await pair(code)).status).toBe(201);
    const paired = await pair(await invite("driver"), ORIGIN);
    expect(paired.status).toBe(201);
    expect((await send("GET", "/api/hub", { key: paired.key, origin: ORIGIN })).status).toBe(200);
    const { value } = await send("GET", "/api/audit", { key: keys.driver });
    expect(JSON.stringify(value)).toContain(`a pairing code on the page at ${ORIGIN}`);
  });

  test("[HH91] nobody asks for more rights", async () => {
    const { publicKey } = newDevice();
    const body = { name: "a terminal", publicKey, role: "approver" };
    const asked = await send("POST", "/api/elevations", { key: keys.driver, origin: ORIGIN, body });
    expect([asked.status, asked.code]).toEqual([403, "embedding-refused"]);
    const upgraded = await send("POST", "/api/upgrade", { origin: ORIGIN, body: { publicKey } });
    expect([upgraded.status, upgraded.code]).toEqual([403, "embedding-refused"]);
  });

  test("[HH91] no page makes codes for further devices, which would stay when its origin is not listed any more", async () => {
    const ask = (origin?: string) =>
      send("POST", "/api/pairings", { key: keys.driver, origin, body: { role: "driver" } });
    const refused = await ask(ORIGIN);
    expect([refused.status, refused.code]).toEqual([403, "embedding-refused"]);
    expect((await ask()).status).toBe(201);
  });
});

describe("the list of origins", () => {
  test("[HH92] is changed by an approver, in the audit log, and lasts", async () => {
    for (const key of [keys.viewer, keys.driver])
      expect((await list([], key)).code).toBe("role-too-weak");
    const { value } = await send("GET", "/api/audit", { key: keys.driver });
    const { entries } = value as { entries: { what: string; facts: object }[] };
    expect(entries.find(({ what }) => what === "embedding-origins-set")?.facts).toMatchObject({
      origins: [ORIGIN, LOCAL],
      before: [],
    });
  });

  test("[HH92] has exact origins alone, encrypted ones unless they are of this machine", async () => {
    const accepted = (origin: string) => embeddingOrigins.safeParse({ origins: [origin] }).success;
    for (const origin of [ORIGIN, LOCAL, "https://a.example", "http://127.0.0.1:1", "http://[::1]"])
      expect([origin, accepted(origin)]).toEqual([origin, true]);
    for (const origin of [
      "null",
      "*",
      "https://*.example.com",
      "https://a.example/",
      "https://a.example/path",
      "https://a.example:443",
      "https://A.example",
      "https://user@a.example",
      "http://a.example",
      "http://localhost.evil.example",
      "file:///",
      "a.example",
    ]) {
      expect([origin, accepted(origin)]).toEqual([origin, false]);
    }
    const wrong = await list([ORIGIN, "https://a.example/"]);
    expect(wrong).toMatchObject({ status: 400, code: "misshapen" });
    expect(JSON.stringify(wrong.value)).toContain("origins.1");
  });

  test("[HH92] a stream of a page whose origin is taken away is closed, and others stay", async () => {
    const streams = [await openTicket(keys.viewer, ORIGIN), await openTicket(keys.viewer, LOCAL)];
    for (const stream of streams) {
      expect(await isWelcomed(stream)).toBe(true);
    }
    expect((await list([LOCAL])).status).toBe(204);
    const [gone, stays] = streams;
    expect((await gone?.closed)?.code).toBe(4401);
    stays?.send({ type: "ping" });
    await stays?.frame("pong");
    expect((await send("GET", "/api/hub", { key: keys.viewer, origin: ORIGIN })).status).toBe(403);
    await list([ORIGIN, LOCAL]);
    for (const stream of streams) stream[Symbol.dispose]();
  });
});
