import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { getPeerAddress } from "../../src/http/request-checks.ts";
import { type TestServer, openTestServer } from "./stage.ts";
import { rawRequest } from "@signalbox/testing/raw-request";

setDefaultTimeout(180_000);

let testServer: TestServer;
beforeAll(async () => void (testServer = await openTestServer()));
afterAll(() => testServer[Symbol.asyncDispose]());

const upgrading =
  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

async function getStatus(head: string, path = "/health", method = "GET"): Promise<number> {
  const text = await rawRequest(testServer.port, `${method} ${path} HTTP/1.1\r\n${head}\r\n`);
  return Number(text.slice(9, 12));
}

describe("Host", () => {
  const wrong = (port: number) => [
    "evil.test",
    `evil.test:${port}`,
    "127.0.0.1",
    "localhost",
    "[::1]",
    `127.0.0.1:${port + 1}`,
    `127.0.0.1:0${port}`,
    `127.0.0.1:${port}.`,
    `127.0.0.1.:${port}`,
    `localhost.:${port}`,
    `LOCALHOST:${port}`,
    `0.0.0.0:${port}`,
    `0:${port}`,
    `127.1:${port}`,
    `127.0.0.2:${port}`,
    `2130706433:${port}`,
    `0x7f000001:${port}`,
    `0177.0.0.1:${port}`,
    `[::]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[0:0:0:0:0:0:0:1]:${port}`,
    `::1:${port}`,
    `127.evil.com:${port}`,
    `127.0.0.1.evil.com:${port}`,
    `localhost.evil.com:${port}`,
    `evil.com#127.0.0.1:${port}`,
    `evil.com/127.0.0.1:${port}`,
    `evil@127.0.0.1:${port}`,
    `127.0.0.1:${port}@evil.com`,
    `127.0.0.1:${port}, evil.com`,
    `127.0.0.1:${port}/`,
    `127.0.0.1:${port}?`,
    `http://127.0.0.1:${port}`,
    "http://[",
    `127.0.0.1 :${port}`,
    `127.0.0.1:${port} x`,
    `127%2e0.0.1:${port}`,
    `localhost:${port}:${port}`,
    `*:${port}`,
    `10.0.0.1:${port}`,
    `xn--lcalhost-54a:${port}`,
  ];

  test("[HH3] every name that is not exactly one of ours is refused with 421, requests and upgrades", async () => {
    const hosts = wrong(testServer.port);
    expect(hosts.length).toBeGreaterThan(30);
    for (const host of hosts) {
      expect([host, await getStatus(`Host: ${host}\r\n`)]).toEqual([host, 421]);
      const upgrade = await getStatus(`Host: ${host}\r\n${upgrading}`, "/api/stream");
      expect([host, upgrade]).toEqual([host, 421]);
    }
    expect(testServer.calls).toEqual([]);
  });

  test("[HH3] two of them are refused, none or an empty one is a bad request", async () => {
    const right = `Host: 127.0.0.1:${testServer.port}\r\n`;
    expect(await getStatus(`${right}Host: evil.test\r\n`)).toBe(421);
    expect(await getStatus(`Host: evil.test\r\n${right}`)).toBe(421);
    expect(await getStatus(right + right)).toBe(421);
    expect(await getStatus("")).toBe(400);
    expect(await getStatus("Host:\r\n")).toBe(400);
    const old = await rawRequest(testServer.port, "GET /health HTTP/1.0\r\n\r\n");
    expect(old.slice(9, 12)).toBe("400");
  });

  test("[HH3] our own names pass, whatever the request line says", async () => {
    for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
      expect(await getStatus(`Host: ${name}:${testServer.port}\r\n`)).toBe(200);
    }
    const host = `Host: 127.0.0.1:${testServer.port}\r\n`;
    expect(await getStatus(host, "http://evil.test/health")).toBe(200);
  });

  test("[HH3] what is said about a proxy by others counts for nothing", async () => {
    const forwarded = `X-Forwarded-Host: 127.0.0.1:${testServer.port}\r\nForwarded: host=127.0.0.1\r\n`;
    expect(await getStatus(`Host: evil.test\r\n${forwarded}`)).toBe(421);
    const headers = new Headers({ "x-forwarded-for": "1.1.1.1, 2.2.2.2" });
    expect(getPeerAddress(headers, "9.9.9.9", undefined)).toBe("9.9.9.9");
    expect(getPeerAddress(headers, "9.9.9.9", "8.8.8.8")).toBe("9.9.9.9");
    expect(getPeerAddress(headers, "::ffff:8.8.8.8", "8.8.8.8")).toBe("2.2.2.2");
    const forged = new Headers({ "x-forwarded-for": "<script>" });
    expect(getPeerAddress(forged, "8.8.8.8", "8.8.8.8")).toBe("8.8.8.8");
  });
});

describe("Origin", () => {
  const wrong = (port: number) => [
    "null",
    "http://evil.test",
    `http://evil.test:${port}`,
    "http://127.0.0.1",
    `http://127.0.0.1:${port + 1}`,
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}0`,
    `http://127.0.0.1:${port}.evil.test`,
    `http://127.0.0.1.evil.test:${port}`,
    `http://evil127.0.0.1:${port}`,
    `http://localhost:${port}`, // ours, but not the one that was asked
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}, http://evil.test`,
    `HTTP://127.0.0.1:${port}`,
    "http://[",
    "file://",
    "chrome-extension://abcdefghijklmnop",
    `http://a@127.0.0.1:${port}`,
  ];

  test("[HH4] other origins are refused with 403, on reads, writes and upgrades", async () => {
    const host = `Host: 127.0.0.1:${testServer.port}\r\n`;
    for (const origin of wrong(testServer.port)) {
      const head = `${host}Origin: ${origin}\r\n`;
      expect([origin, await getStatus(head)]).toEqual([origin, 403]);
      expect(await getStatus(`${head}Content-Length: 0\r\n`, "/api/pair", "POST")).toBe(403);
      expect(await getStatus(head + upgrading, "/api/stream")).toBe(403);
      expect(await getStatus(head + upgrading, "/api/runner")).toBe(403);
    }
    expect(testServer.calls).toEqual([]);
  });

  test("[HH4] what a browser sends for another site is refused, with a right Origin and a right token too", async () => {
    const token = await testServer.tokenOf("admin");
    for (const site of ["cross-site", "same-site", "same-origin, cross-site", "x"]) {
      const headers = { "sec-fetch-site": site, origin: testServer.url };
      expect((await testServer.ask("GET", "/api/sessions", { token, headers })).status).toBe(403);
      expect((await testServer.ask("GET", "/", { headers })).status).toBe(403);
    }
  });

  test("[HH4] our own page and programs without an Origin pass", async () => {
    const host = `Host: 127.0.0.1:${testServer.port}\r\n`;
    const own = `${host}Origin: http://127.0.0.1:${testServer.port}\r\nSec-Fetch-Site: same-origin\r\n`;
    expect(await getStatus(own)).toBe(200);
    for (const head of [own, host]) {
      const ticket = await testServer.getTicket(await testServer.tokenOf("viewer"));
      const shown = `Sec-WebSocket-Protocol: signalbox.stream.v1, ticket.${ticket}\r\n`;
      expect(await getStatus(head + upgrading + shown, "/api/stream")).toBe(101);
    }
    expect(await getStatus(`${host}Sec-Fetch-Site: none\r\n`)).toBe(200);
  });
});
