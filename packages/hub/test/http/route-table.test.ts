import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { isRoleAtLeast } from "@signalbox/api";
import { STREAM_PROTOCOL, TICKET_PROTOCOL } from "@signalbox/api/constants";
import { getRole, routeEntries, splitKey } from "@signalbox/api/routes";
import { deviceRoles } from "@signalbox/api/schemas";
import { LINK_PROTOCOL } from "@signalbox/api/link";
import { openReverseProxy } from "@signalbox/testing/reverse-proxy";
import { type TestServer, openTestServer, openStream } from "./stage.ts";
import { rawRequest } from "@signalbox/testing/raw-request";

setDefaultTimeout(180_000);

const table = routeEntries.map(([key, route]) => ({
  ...splitKey(key),
  role: getRole(route) ?? ("open" as const),
}));
const closed = table.filter(({ role }) => role !== "open");
const hash = "0".repeat(64);

const upgrading =
  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** A path that a route takes, with ids of nothing. */
function somewhere(path: string): string {
  return path
    .replace(":hash", hash)
    .replace(":item", "some")
    .replaceAll(/:\w+/g, () => randomUUID());
}

let testServer: TestServer;
beforeAll(async () => void (testServer = await openTestServer()));
afterAll(() => testServer[Symbol.asyncDispose]());

describe("every route", () => {
  test("[HH1] is closed without a credential, also where there is no route", async () => {
    const statuses = new Map<string, number>();
    for (const { method, path } of closed) {
      const response = await testServer.ask(method, somewhere(path));
      statuses.set(`${method} ${path}`, response.status);
      expect(await response.json()).toMatchObject({ code: "no-credential" });
    }
    for (const path of ["/api", "/api/", "/api/nothing", "/api/stream", "/api/runner"]) {
      statuses.set(path, (await testServer.ask("GET", path)).status);
    }
    expect([...statuses].filter(([, status]) => status !== 401)).toEqual([]);
    expect(statuses.size).toBeGreaterThan(35);
  });

  test("[HH1] is closed without a credential through a reverse proxy of this machine too, declared or not", async () => {
    for (const declared of [true, false]) {
      const listen = declared ? { proxy: "127.0.0.1", names: ["hub.example"] } : {};
      await using behind = await openTestServer({ listen });
      const host = declared ? "hub.example" : `127.0.0.1:${behind.port}`;
      await using proxy = await openReverseProxy(behind.port, host);
      const status = async (method: string, path: string, more = "") => {
        const head = `${method} ${path} HTTP/1.1\r\nHost: hub.example\r\n${more}\r\n`;
        return (await rawRequest(proxy.port, head)).slice(9, 12);
      };
      expect(await status("GET", "/health")).toBe("200"); // it does pass on
      const statuses = new Map<string, string>();
      for (const { method, path } of closed) {
        const length = method === "GET" ? "" : "Content-Length: 0\r\n";
        statuses.set(`${method} ${path}`, await status(method, somewhere(path), length));
      }
      statuses.set(
        "runner",
        await status(
          "GET",
          "/api/runner",
          `${upgrading}Sec-WebSocket-Protocol: ${LINK_PROTOCOL}\r\n`,
        ),
      );
      expect([...statuses].filter(([, answered]) => answered !== "401")).toEqual([]);
      expect(behind.calls).toEqual([]);
    }
  });

  test("[HH1] is closed with a wrong, a cut, an expired and a revoked credential", async () => {
    const { token, row } = await testServer.deviceOf("admin");
    await testServer.access.devices.revoke(row.id, null);
    const alive = await testServer.tokenOf("admin");
    const wrong = ["x", `${alive}x`, alive.slice(0, -1), token, alive];
    const schemes = [`Basic ${btoa(`a:${alive}`)}`, `Signalbox ${alive}`, alive];
    const bearers = [...wrong.map((text) => `Bearer ${text}`), ...schemes];
    for (const { method, path } of closed) {
      const target = somewhere(path);
      const { authorization: revoked } = await testServer.shownBy(token, method, target);
      const { authorization: right } = await testServer.shownBy(alive, method, target);
      const { authorization: elsewhere } = await testServer.shownBy(alive, method, `${target}x`);
      const { authorization: other } = await testServer.shownBy(alive, "PURGE", target);
      const cut = right.slice(0, -1);
      const at = right.length - 40;
      const bent = right.slice(0, at) + (right[at] === "A" ? "B" : "A") + right.slice(at + 1);
      const signed = [revoked, elsewhere, other, cut, bent, right.replace(/\.1\./, ".2.")];
      for (const authorization of [...bearers, ...signed]) {
        const { status } = await testServer.ask(method, target, { headers: { authorization } });
        expect([401, 429]).toContain(status);
      }
    }
    expect(testServer.calls).toEqual([]);
  });

  test("[HH2] the role is the device's own, and each route lets in its role and those above", async () => {
    const tokens = new Map<string, string>();
    for (const role of [...deviceRoles, "runner"] as const)
      tokens.set(role, await testServer.tokenOf(role));
    for (const { method, path, role } of closed) {
      for (const has of [...deviceRoles, "runner"] as const) {
        const token = tokens.get(has) ?? "";
        const headers = { "x-role": "admin" };
        const { status } = await testServer.ask(method, somewhere(path), { token, headers });
        const enough = has !== "runner" && role !== "open" && isRoleAtLeast(has, role);
        expect({ method, path, has, refused: status === 403 }).toEqual({
          method,
          path,
          has,
          refused: !enough,
        });
      }
    }
  });

  test("[HH1] open are only the proof of identity and the pairing, beside health and the page", () => {
    const open = table.filter(({ role }) => role === "open").map(({ path }) => path);
    expect(open.toSorted()).toEqual([
      "/api/identity",
      "/api/pair",
      "/api/pair/role",
      "/api/upgrade",
    ]);
  });

  test("[HH1] health says ok and nothing else", async () => {
    const response = await testServer.ask("GET", "/health");
    expect(await response.text()).toBe("ok");
  });
});

describe("the WebSocket paths", () => {
  const upgrade = (path: string, headers: string) =>
    rawRequest(
      testServer.port,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${testServer.port}\r\n${upgrading}${headers}\r\n`,
    );
  const status = async (path: string, headers = "") => (await upgrade(path, headers)).slice(9, 12);

  test("[HH1] the link opens for a runner's credential and for nobody else", async () => {
    const link = `Sec-WebSocket-Protocol: ${LINK_PROTOCOL}\r\n`;
    const shown = async (token: string) => {
      const { authorization } = await testServer.shownBy(token, "GET", "/api/runner");
      return `Authorization: ${authorization}\r\n`;
    };
    const { token, row } = await testServer.deviceOf("runner");
    const admin = await testServer.tokenOf("admin");
    expect(await status("/api/runner", link)).toBe("401");
    expect(["401", "429"]).toContain(await status("/api/runner", link + (await shown("wrong"))));
    expect(await status("/api/runner", link + (await shown(admin)))).toBe("403");
    expect(await status("/api/runner", await shown(token))).toBe("400");
    expect(await status("/api/runner", link + (await shown(token)))).toBe("101");
    await testServer.access.devices.revoke(row.id, null);
    expect(["401", "429"]).toContain(await status("/api/runner", link + (await shown(token))));
  });

  test("[HH1] the stream opens for a ticket alone: not without, not for a wrong one, a device's token or a revoked device's ticket", async () => {
    const { token, row } = await testServer.deviceOf("admin");
    const late = await testServer.getTicket(token);
    const early = await testServer.getTicket(await testServer.tokenOf("viewer"));
    await testServer.access.devices.revoke(row.id, null);
    const shown = (ticket: string) =>
      `Sec-WebSocket-Protocol: ${STREAM_PROTOCOL}, ${TICKET_PROTOCOL}${ticket}\r\n`;
    const signed = async (token: string) => {
      const { authorization } = await testServer.shownBy(token, "GET", "/api/stream");
      return `Authorization: ${authorization}\r\n`;
    };
    const alive = await testServer.tokenOf("viewer");
    const wrong = ["x", "", alive, late].map(shown);
    const nothing = ["", `Sec-WebSocket-Protocol: ${STREAM_PROTOCOL}\r\n`, await signed(alive)];
    // A credential that is shown beside a ticket is looked at, too.
    const wrongToken = [(await signed("x")) + shown(early), (await signed(token)) + shown(early)];
    for (const headers of [...wrong, ...nothing, ...wrongToken]) {
      expect(["401", "429"]).toContain(await status("/api/stream", headers));
    }
    expect(await status("/api/stream", (await signed(alive)) + shown(early))).toBe("101");
    for (const frame of [{ type: "watch-board" }, { type: "newer" }]) {
      using stream = openStream(testServer.url, await testServer.getTicket(alive));
      await stream.opened;
      stream.send(frame);
      expect((await stream.closed).code).toBe(4401);
    }
  });

  test("[HH1] other paths do not become sockets", async () => {
    expect(await status("/api/sessions")).toBe("401");
    for (const path of ["/", "/ws", "/ws/cli/x", "/ws/cli/x/y", "/sdk/x", "/sdk", "/ws/other"]) {
      expect({ path, status: await status(path) }).toEqual({ path, status: "404" }); // no relay
    }
  });
});
