import { expect, setDefaultTimeout, test } from "bun:test";
import type { NeighbourView } from "@signalbox/protocol";
import { DumbRelay, turn } from "./foreign-relay.ts";
import { person, RelayStage, until } from "./stage.ts";

setDefaultTimeout(60_000);

test("[DC1] [DC2] [DC3] the hub tells hubs from relays and from nobody; looking leaves nothing behind; attached, a relay's conversations are sessions, over a break, over a restart of the hub and by the rules of rotation", async () => {
  using relay = new DumbRelay();
  using web = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("a page") });
  await using other = await RelayStage.open();
  const ports = [relay.port, web.port ?? 0, other.hub.port];
  await using stage = await RelayStage.open({ graceMs: 60_000 }, { discoveryPorts: ports });
  const look = async () => (await stage.call("GET", "/api/discovery")) as NeighbourView[];
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
  expect(stage.engine.sessions()).toEqual([]);
  expect(relay.visits).toBe(2); // one a look: none came back by itself
  await Promise.all([look(), look(), look()]);
  expect(relay.visits).toBe(3); // those who ask at the same time share it

  await stage.call("POST", "/api/discovery/attach", { port: relay.port });
  await until(() => relay.fronts === 1);
  expect(stage.engine.sessions()).toEqual([]); // nothing was said
  const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
  relay.say(...turn(a, "one"));
  await until(() => stage.engine.sessions().length === 1);
  const first = stage.engine.sessions()[0]?.id ?? "";
  await until(() => stage.view(first).summary.turns === 1);
  await stage.engine.send(first, crypto.randomUUID(), { text: "a prompt from here" }, person);
  await until(() => relay.heard.some(({ type }) => type === "user"));
  expect(JSON.stringify(relay.heard)).toContain("a prompt from here");
  expect(JSON.stringify(relay.heard)).not.toContain("initialize"); // the relay has done that
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } };
  relay.say({ type: "control_request", request_id: "r1", request });
  const ask = await stage.ask(first);
  await stage.engine.answer(ask.id, { hash: ask.hash, decision: { behavior: "allow" } }, person);
  await until(() => relay.heard.some(({ type }) => type === "control_response"));

  relay.say({ type: "control_request", request_id: "r2", request });
  const open = await stage.ask(first);
  const { run } = stage.engine.relayed.row(first) ?? {};
  await stage.hub.stop();
  await until(() => relay.fronts === 0);
  await stage.start();
  await until(() => relay.fronts === 1); // by itself: it was attached when the last hub ended
  await until(() => stage.view(first).dialled?.connected === true);
  expect(stage.engine.relayed.row(first)).toMatchObject({ run, state: "running" });
  const allow = { hash: open.hash, decision: { behavior: "allow" } } as const;
  await stage.engine.answer(open.id, allow, person);
  await until(() => JSON.stringify(relay.heard.at(-1)).includes('"r2"'));
  relay.say(...turn(a, "one and a half"));
  await until(async () => (await stage.texts(first)).length === 2);
  expect(stage.engine.sessions()).toHaveLength(1);

  await relay.close();
  await until(() => stage.view(first).dialled?.connected === false);
  expect((await look()).find(({ port }) => port === relay.port)?.attached).toBe("away");
  relay.open();
  await until(() => relay.fronts === 1);
  relay.say(...turn(a, "two"));
  await until(async () => (await stage.texts(first)).length === 3);
  relay.say(...turn(b, "another conversation"));
  await until(() => stage.engine.sessions().length === 2);
  const second = stage.engine.sessions().find(({ id }) => id !== first)?.id ?? "";
  await until(() => stage.view(second).summary.turns === 1);
  expect(await stage.texts(first)).toEqual(["one", "one and a half", "two"]);

  relay.agent("disconnected");
  await until(() => stage.view(second).state !== "running");
  relay.agent("connected");
  relay.say(...turn(b, "after its return"));
  await until(async () => (await stage.texts(second)).length === 2);
  relay.agent("disconnected");
  await until(() => stage.view(second).state !== "running");
  relay.agent("connected");
  relay.say(...turn(a, "the first again, in a session of its own: its agent had left"));
  await until(() => stage.engine.sessions().length === 3);

  await stage.call("POST", "/api/discovery/detach", { port: relay.port });
  await until(() => relay.fronts === 0);
  expect(stage.engine.sessions()).toHaveLength(3);
  await stage.hub.stop();
  await stage.start();
  expect((await look()).find(({ port }) => port === relay.port)?.attached).toBeUndefined();
});

test("[DC4] attaching takes a relay that is on, and a port where relays are looked for", async () => {
  await using stage = await RelayStage.open();
  const elsewhere = await stage.call("POST", "/api/discovery/attach", { port: 22 }).catch(String);
  expect(elsewhere).toContain("no-such-port");
});
