import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { RelayPath } from "../src/admission/paths.ts";
import { openReverseProxy } from "@signalbox/testing/reverse-proxy";
import { rawRequest } from "@signalbox/testing/raw-request";
import { RecordedFrontEnd } from "./front-ends.ts";
import { ScriptedAgent, upgradeStatus } from "./scripted-agent.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** Every door of the relay: a new kind of path needs an entry here. */
const doors: Record<RelayPath["kind"], (session: string) => string> = {
  agent: (session) => `/ws/cli/${session}`,
  root: () => "/",
  "front-end": () => "/ws",
  sdk: (session) => `/sdk/${session}`,
};
const kinds = Object.keys(doors) as RelayPath["kind"][];

describe("every path of the relay", () => {
  test("[RL40] is closed without a credential and with a wrong, truncated, foreign, replaced or revoked one, also /sdk, which reads it from the first frame", async () => {
    await using stage = await RelayStage.open();
    const { session, secret } = await stage.invite();
    const other = await stage.invite();
    const replaced = await stage.invite();
    await stage.call("POST", "/api/relay/agents", { session: replaced.session });
    const revoked = await stage.paired("admin");
    await stage.revoke(revoked);
    const runner = await stage.paired("runner" as never);
    const nobody = ["x", replaced.secret, revoked, runner, secret.slice(0, -1), `${stage.token}x`];
    const foreign: Record<RelayPath["kind"], string[]> = {
      agent: [other.secret, stage.token],
      root: [stage.token],
      "front-end": [secret],
      sdk: [secret],
    };
    const { hub } = stage;
    const before = hub.engine.sessions.list();
    const auth = (token: string) => ({ type: "auth", credential: { type: "oauth", token } });
    for (const kind of kinds) {
      const at = stage.ws + doors[kind](session);
      if (kind !== "sdk") expect({ kind, is: await upgradeStatus(at) }).toEqual({ kind, is: 401 });
      for (const wrong of [...nobody, ...foreign[kind]]) {
        expect([401, 429]).toContain(await upgradeStatus(at, bearer(wrong)));
      }
    }
    for (const wrong of [...nobody, ...foreign.sdk]) {
      using client = new RecordedFrontEnd(stage.ws + doors.sdk(session));
      await client.opened();
      client.send(auth(wrong));
      expect((await client.closed).code).toBe(4401);
      expect(client.seen).toEqual([]);
    }
    expect(hub.engine.sessions.list()).toEqual(before);
  });

  test("[RL40] lets a viewer only read, and disconnects a client whose device is revoked", async () => {
    await using stage = await RelayStage.open();
    const { session, secret, url } = await stage.invite();
    using agent = new ScriptedAgent(url, bearer(secret));
    await stage.running(session);
    const viewer = await stage.paired("viewer");
    using front = new RecordedFrontEnd(
      stage.ws + doors["front-end"](session),
      await stage.attached(doors["front-end"](session), viewer),
    );
    using client = new RecordedFrontEnd(
      stage.ws + doors.sdk(session),
      await stage.attached(doors.sdk(session), viewer),
    );
    await client.opened();
    const request = (request_id: string, body: object) =>
      client.send({ type: "control_request", request_id, request: body });
    request("i", { subtype: "initialize" });
    request("s", { subtype: "set_model", model: "m" });
    await client.see(({ response }) => isAnswer(response, "i", "success"));
    await client.see(({ response }) => isAnswer(response, "s", "error"));
    for (const each of [client, front]) {
      each.send({ type: "user", message: { role: "user", content: "do it" }, session_id: "" });
      await each.see(({ text }) => String(text).includes("takes the role driver"));
    }
    agent.say({
      type: "control_request",
      request_id: "r",
      request: { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" },
    });
    const { id } = await stage.ask(session);
    const allow = { subtype: "success", response: { behavior: "allow" } };
    client.send({ type: "control_response", response: { ...allow, request_id: id } });
    front.send({ type: "control_response", response: { ...allow, request_id: "r" } });
    for (const each of [client, front]) {
      await each.see(({ text }) => String(text).includes("takes the role approver"));
    }
    expect(stage.engine.asks.list().map((ask) => ask.id)).toEqual([id]);
    expect(agent.heard.some(({ type }) => type === "user")).toBe(false);
    await stage.revoke(viewer);
    for (const each of [client, front]) expect((await each.closed).code).toBe(4401);
  });
});

describe("a client without a credential", () => {
  const upgrading =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

  test("[RL48] can send a first frame only from this machine; from elsewhere a ticket in the path opens /ws and /sdk, once", async () => {
    await using stage = await RelayStage.open();
    const { session } = await stage.invite();
    await using proxy = await openReverseProxy(stage.hub.port, `127.0.0.1:${stage.hub.port}`);
    const status = async (path: string) => {
      const origin = `Origin: ${stage.url}\r\n`; // as a page has it
      const head = `GET ${path} HTTP/1.1\r\nHost: hub.example\r\n${origin}${upgrading}\r\n`;
      return (await rawRequest(proxy.port, head)).slice(9, 12);
    };
    for (const kind of ["sdk", "front-end"] as const) {
      const path = doors[kind](session);
      const { ticket } = (await stage.call("POST", "/api/tickets")) as { ticket: string };
      expect(await status(path)).toBe("401");
      expect(await status(`${path}/${ticket.slice(0, -1)}x`)).toBe("401");
      expect(await status(`${path}/`)).toBe("404");
      using client = new RecordedFrontEnd(`${stage.ws}${path}/${ticket}`);
      await client.opened();
      client.send({ type: "control_request", request_id: "i", request: { subtype: "initialize" } });
      await client.see(({ type }) => type === "control_response");
      expect(await status(`${path}/${ticket}`)).toBe("401");
    }
  });

  test("[RL48] is one of at most eight on this machine; the one that has waited longest is closed to make room", async () => {
    await using stage = await RelayStage.open();
    const { session } = await stage.invite();
    const waiting: RecordedFrontEnd[] = [];
    for (let nth = 0; nth < 9; nth++) {
      const client = new RecordedFrontEnd(stage.ws + doors.sdk(session));
      waiting.push(client);
      await client.opened();
    }
    expect((await waiting[0]?.closed)?.code).toBe(1006);
    const last = waiting.at(-1);
    last?.send({ type: "auth", credential: { type: "oauth", token: await stage.ticket() } });
    last?.send({ type: "control_request", request_id: "i", request: { subtype: "initialize" } });
    await last?.see(({ type }) => type === "control_response");
    for (const client of waiting) client[Symbol.dispose]();
  });
});

describe("the open relay", () => {
  test("[RL48] has 64 places for connections without a credential, and a place is free again when its connection ends", async () => {
    await using stage = await RelayStage.open({ open: true });
    const front = () => new RecordedFrontEnd(`${stage.ws}/ws`);
    const inside = [...Array.from({ length: 63 }, front), new ScriptedAgent(`${stage.ws}/`)];
    await until(() => stage.engine.sessions.list().length === 1);
    for (const each of inside) if (each instanceof RecordedFrontEnd) await each.opened();
    using tooMany = front();
    expect(await tooMany.closed).toMatchObject({ code: 1013 });
    using agent = new ScriptedAgent(`${stage.ws}/`);
    expect((await agent.closed).code).toBe(1013);
    using known = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws"));
    await known.see(({ text }) => text === "claude code is connected");
    for (const each of inside) each[Symbol.dispose]();
    for (let isIn = false; !isIn;) {
      using again = front();
      await again.opened();
      again.send({ type: "control_request", request_id: "i", request: { subtype: "initialize" } });
      let isClosed = false;
      void again.closed.then(() => (isClosed = true));
      await until(() => isClosed || again.seen.length > 0);
      isIn = again.seen.length > 0;
    }
  });

  test("[RL40] accepts agents at / and front ends at /ws without a credential, and nobody else: not at other paths, not from pages, not through a proxy", async () => {
    await using stage = await RelayStage.open({ open: true });
    const { session } = await stage.invite();
    for (const kind of ["agent", "sdk"] as const) {
      expect(await upgradeStatus(stage.ws + doors[kind](session), bearer("x"))).toBe(401);
    }
    expect(await upgradeStatus(stage.ws + doors.agent(session))).toBe(401);
    expect(await upgradeStatus(`${stage.ws}/`, bearer("x"))).toBe(401);
    for (const path of ["/", "/ws"]) {
      const evil = { origin: "http://evil.test" };
      expect(await upgradeStatus(stage.ws + path, evil)).toBe(403);
    }
    await using proxy = await openReverseProxy(stage.hub.port, `127.0.0.1:${stage.hub.port}`);
    const upgrading =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    for (const path of ["/", "/ws", doors.sdk(session)]) {
      const head = `GET ${path} HTTP/1.1\r\nHost: hub.example\r\n${upgrading}\r\n`;
      expect((await rawRequest(proxy.port, head)).slice(9, 12)).toBe("401");
    }
    const before = new Set(stage.engine.sessions.list().map(({ id }) => id));
    using front = new RecordedFrontEnd(`${stage.ws}/ws`);
    await front.opened();
    using agent = new ScriptedAgent(`${stage.ws}/`);
    await front.see(({ text }) => text === "claude code connected");
    const fresh = stage.engine.sessions.list().filter(({ id }) => !before.has(id));
    expect(fresh).toHaveLength(1);
    await stage.running(fresh[0]?.id ?? "");
    front.send({ type: "user", message: { role: "user", content: "hello" }, session_id: "" });
    await agent.hears(({ type }) => type === "user");
  });

  test("[RL11] [RL12] an agent at / that reconnects continues in its session, also after a restart of the hub, and repeated messages are stored once", async () => {
    await using stage = await RelayStage.open({ open: true, graceMs: 60_000 });
    const agent = new ScriptedAgent(`${stage.ws}/`);
    await until(() => stage.engine.sessions.list().length === 1);
    const session = stage.engine.sessions.list()[0]?.id ?? "";
    await stage.running(session);
    const { run } = stage.engine.relaySessions.findRow(session) ?? {};
    const said = (text: string) => ({
      type: "assistant",
      uuid: `u-${text}`,
      session_id: "conversation",
      message: { id: `m-${text}`, role: "assistant", content: [{ type: "text", text }] },
    });
    agent.say(said("one"));
    await until(async () => (await stage.texts(session)).length === 1);
    agent.break();
    await until(() => stage.view(session).dialled?.connected === false);

    const again = (last: string) =>
      new ScriptedAgent(`${stage.ws}/`, { "x-last-request-id": `u-${last}` }, true);
    const second = again("one");
    await until(() => stage.view(session).dialled?.connected === true);
    second.say(said("one"), said("two"));
    await until(async () => (await stage.texts(session)).length === 2);

    await stage.hub.stop();
    await stage.start();
    using third = again("two");
    await until(() => stage.view(session).dialled?.connected === true);
    third.say(said("one"), said("two"), said("three"));
    await until(async () => (await stage.texts(session)).length === 3);
    await stage.engine.prompts.send(
      session,
      crypto.randomUUID(),
      { text: "go on", now: true },
      person,
    );
    await third.hears(({ type }) => type === "user");
    expect(await stage.texts(session)).toEqual(["one", "two", "three"]);
    expect(stage.engine.sessions.list()).toHaveLength(1);
    expect(stage.engine.relaySessions.findRow(session)).toMatchObject({ run, state: "running" });
  });
});

function isAnswer(response: unknown, id: string, subtype: string): boolean {
  const { request_id, ...rest } = (response ?? {}) as Record<string, unknown>;
  return request_id === id && rest["subtype"] === subtype;
}
