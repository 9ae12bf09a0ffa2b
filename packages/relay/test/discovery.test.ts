import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NeighborView } from "@signalbox/api";
import { startHub } from "@signalbox/hub";
import { relayExtension } from "@signalbox/relay";
import { DumbRelay, turn } from "./foreign-relay.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

test("[DC1] [DC2] [DC3] the hub tells hubs from relays and from free ports, a scan leaves nothing behind, and an attached relay's conversations are sessions, also after an interruption and a restart of the hub", async () => {
  using relay = new DumbRelay();
  using web = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("a page") });
  await using other = await RelayStage.open();
  const ports = [relay.port, web.port ?? 0, other.hub.port];
  await using stage = await RelayStage.open({ graceMs: 60_000 }, { discoveryPorts: ports });
  const look = async () => (await stage.call("GET", "/api/discovery")) as NeighborView[];
  const others = (...but: string[]) =>
    stage.engine.sessions.list().flatMap(({ id }) => (but.includes(id) ? [] : id));
  const found = await look();
  expect(found.map(({ port, kind, agent }) => [port, kind, agent])).toEqual(
    [
      [relay.port, "relay", "none"],
      [other.hub.port, "hub", undefined],
    ].toSorted((a, b) => Number(a[0]) - Number(b[0])) as never,
  );
  relay.agent("connected");
  expect((await look()).find(({ port }) => port === relay.port)?.agent).toBe("connected");
  await until(() => relay.fronts === 0);
  expect(stage.engine.sessions.list()).toEqual([]);
  expect(relay.visits).toBe(2); // one a look: none came back by itself
  await Promise.all([look(), look(), look()]);
  expect(relay.visits).toBe(3); // those who ask at the same time share it

  await stage.call("POST", "/api/discovery/attach", { port: relay.port });
  await until(() => relay.fronts === 1);
  await until(() => stage.engine.sessions.list().length === 1); // its agent waits for a prompt
  const first = stage.engine.sessions.list()[0]?.id ?? "";
  await stage.running(first);
  expect(relay.heard).toEqual([]); // the relay has initialized it
  expect(stage.view(first).title).toBe("An agent that dialed in"); // where it works it has not said
  await stage.engine.prompts.send(first, crypto.randomUUID(), { text: "the first prompt" }, person);
  await until(() => JSON.stringify(relay.heard).includes("the first prompt"));
  const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
  relay.say(...turn(a, "one"));
  await until(() => stage.view(first).summary.turns === 1);
  await stage.engine.prompts.send(
    first,
    crypto.randomUUID(),
    { text: "a prompt from here" },
    person,
  );
  await until(() => JSON.stringify(relay.heard).includes("a prompt from here"));
  expect(JSON.stringify(relay.heard)).not.toContain("initialize");
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } };
  relay.say({ type: "control_request", request_id: "r1", request });
  const ask = await stage.ask(first);
  await stage.engine.asks.answer(
    ask.id,
    { hash: ask.hash, decision: { behavior: "allow" } },
    person,
  );
  await until(() => relay.heard.some(({ type }) => type === "control_response"));

  relay.say({ type: "control_request", request_id: "r2", request });
  const open = await stage.ask(first);
  const { run } = stage.engine.relaySessions.findRow(first) ?? {};
  await stage.hub.stop();
  await until(() => relay.fronts === 0);
  await stage.start();
  await until(() => relay.fronts === 1); // by itself: it was attached when the last hub ended
  await until(() => stage.view(first).dialled?.connected === true);
  expect(stage.engine.relaySessions.findRow(first)).toMatchObject({ run, state: "running" });
  const allow = { hash: open.hash, decision: { behavior: "allow" } } as const;
  await stage.engine.asks.answer(open.id, allow, person);
  await until(() => JSON.stringify(relay.heard.at(-1)).includes('"r2"'));
  relay.say(...turn(a, "one and a half"));
  await until(async () => (await stage.texts(first)).length === 2);
  expect(stage.engine.sessions.list()).toHaveLength(1);

  await relay.close();
  await until(() => stage.view(first).dialled?.connected === false);
  expect((await look()).find(({ port }) => port === relay.port)?.attached).toBe("away");
  relay.open();
  await until(() => stage.view(first).dialled?.connected === true); // it waits there again
  relay.say(...turn(a, "two"));
  await until(async () => (await stage.texts(first)).length === 3);
  relay.say(...turn(b, "another conversation"));
  await until(() => stage.engine.sessions.list().length === 2);
  const second = others(first)[0] ?? "";
  await until(() => stage.view(second).summary.turns === 1);
  expect(await stage.texts(first)).toEqual(["one", "one and a half", "two"]);

  relay.agent("disconnected");
  await until(() => stage.view(second).state !== "running");
  relay.agent("connected");
  relay.say(...turn(b, "after its return"));
  await until(async () => (await stage.texts(second)).length === 2);
  await until(() => others(first, second).length === 0); // the one that waited for it is gone
  relay.agent("disconnected");
  await until(() => stage.view(second).state !== "running");
  relay.agent("connected");
  relay.say(...turn(a, "the first again, in a session of its own: its agent had left"));
  await until(() => others(first, second).length === 1);
  const third = others(first, second)[0] ?? "";
  await until(async () => (await stage.texts(third)).length === 1);

  await stage.call("POST", "/api/discovery/detach", { port: relay.port });
  await until(() => relay.fronts === 0);
  expect(stage.engine.sessions.list()).toHaveLength(3);
  await stage.hub.stop();
  await stage.start();
  expect((await look()).find(({ port }) => port === relay.port)?.attached).toBeUndefined();
});

test("[DC3] an agent that waits for its first prompt has a session and answers there, also after an interruption and a restart of the hub; an unused session is deleted, however soon the agent leaves", async () => {
  using relay = new DumbRelay();
  const discoveryPorts = [relay.port];
  await using stage = await RelayStage.open({ graceMs: 60_000 }, { discoveryPorts });
  const ids = () => stage.engine.sessions.list().map(({ id }) => id);
  const waiting = async (...before: string[]) => {
    await until(() => ids().length === before.length + 1);
    const session = ids().find((id) => !before.includes(id)) ?? "";
    await stage.running(session);
    return session;
  };
  const prompt = async (session: string, text: string) => {
    await stage.engine.prompts.send(session, crypto.randomUUID(), { text }, person);
    await until(() => JSON.stringify(relay.heard).includes(text));
  };
  await stage.call("POST", "/api/discovery/attach", { port: relay.port });
  await until(() => relay.fronts === 1);
  for (let time = 0; time < 20; time++) {
    relay.agent("connected");
    if (time % 2 === 0) await until(() => ids().length > 0);
    relay.agent("disconnected");
  }
  const noted = async (what: string) => {
    const { entries } = (await stage.call("GET", "/api/audit?limit=500")) as {
      entries: { what: string }[];
    };
    return entries.filter((entry) => entry.what === what).length;
  };
  await until(async () => (await noted("session-deleted")) === 20);
  expect(await noted("session-created")).toBe(20);
  expect(ids()).toEqual([]);

  relay.agent("connected");
  const first = await waiting();
  await relay.close();
  await until(() => stage.view(first).dialled?.connected === false);
  relay.open();
  await until(() => stage.view(first).dialled?.connected === true);
  await stage.hub.stop();
  await stage.start();
  await until(() => stage.view(first).dialled?.connected === true);
  await stage.running(first);
  await prompt(first, "the first");
  const conversation = crypto.randomUUID();
  relay.say(...turn(conversation, "its answer"));
  await until(() => stage.view(first).summary.turns === 1);
  expect(ids()).toEqual([first]);

  relay.agent("disconnected");
  relay.agent("connected");
  relay.say(...turn(conversation, "unasked")); // as before: no other session is for it
  await until(() => stage.view(first).summary.turns === 2);
  await until(() => ids().length === 1);
  relay.agent("disconnected");
  relay.agent("connected");
  const second = await waiting(first);
  await prompt(second, "the second");
  relay.say(...turn(conversation, "asked there, answered there"));
  await until(() => stage.view(second).summary.turns === 1);
  await stage.call("POST", "/api/discovery/detach", { port: relay.port });
  expect(ids().toSorted()).toEqual([first, second].toSorted());
});

test("[DC3] if a relay does not come back, nothing is left of an agent that waited there, with and without a restart of the hub", async () => {
  const relays = [new DumbRelay(), new DumbRelay()] as const;
  using _ = relays[0];
  using __ = relays[1];
  const discoveryPorts = relays.map(({ port }) => port);
  await using stage = await RelayStage.open({ graceMs: 100 }, { discoveryPorts });
  for (const relay of relays) {
    relay.agent("connected");
    await stage.call("POST", "/api/discovery/attach", { port: relay.port });
    await until(() => stage.engine.sessions.list()[0]?.state === "running");
    if (relay === relays[0]) {
      await relay.close();
    } else {
      await stage.hub.stop();
      await relay.close();
      await stage.start();
    }
    await until(() => stage.engine.sessions.list().length === 0);
  }
});

test("[DC4] [DC6] a hub attaches neither to itself nor to another hub nor to a port without a relay; a hub that takes a relay's place is left alone, and the list shows what is there now", async () => {
  const ports: number[] = [];
  using relay = new DumbRelay();
  using web = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("a page") });
  const gone = new DumbRelay();
  await gone.close();
  await using other = await RelayStage.open({ open: true });
  await using stage = await RelayStage.open({ open: true }, { discoveryPorts: ports });
  ports.push(stage.hub.port, other.hub.port, web.port ?? 0, gone.port, relay.port);
  const attach = (port: number) =>
    stage.call("POST", "/api/discovery/attach", { port }).then(() => "attached", String);
  const at = async (port: number) =>
    ((await stage.call("GET", "/api/discovery")) as NeighborView[]).find(
      (each) => each.port === port,
    );
  expect(await attach(stage.hub.port)).toContain("this hub itself");
  expect(await attach(other.hub.port)).toContain(`http://localhost:${other.hub.port}/`);
  expect(await attach(web.port ?? 0)).toContain("No relay answers");
  expect(await attach(gone.port)).toContain("No relay answers");
  const told = (await stage.call("GET", "/api/discovery")) as NeighborView[];
  expect(told.filter(({ attached }) => attached !== undefined)).toEqual([]);
  const { entries } = (await stage.call("GET", "/api/audit?limit=500")) as {
    entries: { what: string }[];
  };
  expect(entries.map(({ what }) => what)).not.toContain("relay-attached");

  expect(await attach(relay.port)).toBe("attached");
  await until(async () => (await at(relay.port))?.attached === "connected");
  expect(await at(relay.port)).toMatchObject({ kind: "relay", agent: "none" });
  relay.agent("connected");
  await until(async () => (await at(relay.port))?.agent === "connected");
  await relay.close();
  await until(async () => (await at(relay.port))?.attached === "away");
  expect(await at(relay.port)).toMatchObject({ kind: "relay", agent: "none" });
  expect(await attach(relay.port)).toContain("No relay answers"); // the hub keeps trying

  const data = mkdtempSync(join(tmpdir(), "signalbox-in-its-place-"));
  const extensions = [relayExtension({ dialIn: { open: true } })];
  const hub = await startHub({ data, version: "0.0.0", port: relay.port, extensions });
  try {
    await until(async () => (await at(relay.port))?.kind === "hub");
    expect(await at(relay.port)).toMatchObject({ attached: "away" });
    expect(await attach(relay.port)).toContain("another Signalbox hub");
    const visit = await fetch(`${hub.url}/ws`, {
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        "x-signalbox-hub": "1",
      },
    });
    expect([visit.status, await visit.text()]).toEqual([409, expect.stringContaining("is-hub")]);
  } finally {
    await hub.stop();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
  relay.open();
  await until(async () => (await at(relay.port))?.attached === "connected"); // it was waited for
});

test("[DC4] attaching takes the hub's own relay and a port that is scanned, and detaching takes a port to which the hub is attached", async () => {
  await using stage = await RelayStage.open();
  const elsewhere = await stage.call("POST", "/api/discovery/attach", { port: 22 }).catch(String);
  expect(elsewhere).toContain("no-such-port");
  const never = await stage.call("POST", "/api/discovery/detach", { port: 8772 }).catch(String);
  expect(never).toContain("not-attached");
});
