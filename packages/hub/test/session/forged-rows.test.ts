import type { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { Bench, desk, OWN } from "./bench.ts";
import { type FakeRunner, until } from "./fake-runner.ts";
import { tamper } from "./tamper.ts";

setDefaultTimeout(180_000);

const told = (runner: FakeRunner) => runner.orders("policy").map(({ policy }) => policy);

function addOrder(bench: Bench, id: string, session: string, order: object): void {
  tamper(bench, (db) =>
    db.run(`INSERT INTO orders ("id", "session", "runner", "json") VALUES (?, ?, ?, ?)`, [
      id,
      session,
      OWN,
      JSON.stringify({ session, ...order }),
    ]),
  );
}

test("[HB90] an order that somebody wrote into the stopped hub's database is not sent, and is reported", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const session = await bench.running(runner);
  const { run } = bench.engine.sessions.get(session);
  await bench.closeHub();
  const forged = [
    { kind: "policy", run: run?.run, policy: "autonomous" },
    { kind: "request", run: run?.run, subtype: "set_permission_mode", fields: { mode: "x" } },
    { kind: "decide", run: run?.run, requestId: "1", decision: { behavior: "allow" }, by: "me" },
  ];
  for (const [at, order] of forged.entries()) addOrder(bench, `forged-${at}`, session, order);
  await bench.openHub({ readsAudit: true });
  const again = await bench.runner(runner);
  expect(bench.engine.listUnconfirmed()).toEqual(
    forged.map((_, at) => `the order forged-${at} to the agent of the session ${session}`),
  );
  // An order of the hub's own shows that all that waited was sent before it.
  await bench.engine.sessions.change(session, { policy: "supervised" }, desk);
  await until(() => told(again).includes("supervised"));
  expect(told(again)).toEqual(["supervised"]);
  expect(again.orders("decide")).toEqual([]);
});

test("[HB90] an order that was written while the hub ran is not sent either", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const session = await bench.running(runner);
  const run = bench.engine.sessions.get(session).run?.run;
  runner.leave();
  addOrder(bench, "forged", session, { kind: "policy", run, policy: "autonomous" });
  const again = await bench.runner(runner);
  await bench.engine.sessions.change(session, { policy: "supervised" }, desk);
  await until(() => told(again).includes("supervised"));
  expect(told(again)).toEqual(["supervised"]);
  expect(bench.engine.listUnconfirmed()).toHaveLength(1);
});

test("[HB90] orders of the hub's own that wait are sent after a restart", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const session = await bench.running(runner, { policy: "autonomous", confirmed: true });
  runner.leave();
  await bench.engine.sessions.change(session, { policy: "accept-edits" }, desk);
  await bench.closeHub();
  await bench.openHub({ readsAudit: true });
  const again = await bench.runner(runner);
  await until(() => told(again).length === 1);
  expect(told(again)).toEqual(["accept-edits"]);
  expect(bench.engine.listUnconfirmed()).toEqual([]);
});

test("[HB91] permissions that somebody wrote into the database do not count, and are reported", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.create({ policy: "accept-edits", addDirs: [] });
  const until1 = Date.now() + 60_000;
  const bypassed = await bench.create({ policy: "autonomous", confirmed: true, bypassMinutes: 1 });
  await bench.closeHub();
  tamper(bench, (db) => {
    const options = { folder: bench.folder, addDirs: ["/"], isolation: "off", startedBy: "admin" };
    db.run(
      `UPDATE sessions SET policy = 'autonomous', bypassUntil = 9e15, options = ? WHERE id = ?`,
      [JSON.stringify(options), id],
    );
    db.run(`UPDATE sessions SET bypassUntil = 9e15 WHERE id = ?`, [bypassed.id]);
  });
  await bench.openHub({ readsAudit: true });
  const view = bench.engine.sessions.get(id);
  expect(view).toMatchObject({ policy: "accept-edits", options: { isolation: "default" } });
  expect(view.options).not.toHaveProperty("addDirs");
  expect(bench.engine.sessions.get(bypassed.id).bypassUntil).toBeLessThan(until1 + 60_000);
  expect(bench.engine.listUnconfirmed()).toEqual([
    `the policy "autonomous" of the session ${id}`,
    `the isolation "off" of the session ${id}`,
    `the folder or the options of the session ${id}`,
    `the time until which the session ${bypassed.id} is "autonomous"`,
  ]);
});

test("[HB91] what the audit confirms counts, after changes too", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const session = await bench.running(runner, { policy: "autonomous", confirmed: true });
  await bench.engine.sessions.change(session, { isolation: "off" }, desk);
  const edits = await bench.create({ policy: "accept-edits", isolation: "no-network" });
  const changed = { variables: { KEY: "k-1" }, mcpServers: { x: { command: "true" } } };
  await bench.engine.sessions.changeOptions(edits.id, changed, desk);
  await bench.closeHub();
  await bench.openHub({ readsAudit: true });
  expect(bench.engine.listUnconfirmed()).toEqual([]);
  expect(bench.engine.sessions.get(session)).toMatchObject({
    policy: "autonomous",
    options: { isolation: "off" },
  });
  expect(bench.engine.sessions.get(edits.id)).toMatchObject({ policy: "accept-edits" });
  expect(bench.engine.sessions.getOptions(edits.id)).toMatchObject({
    variables: { KEY: null },
    mcpServers: { x: { command: "true" } },
  });
});

test("[HB91] a session that somebody wrote into the database has nothing of what it allows, and is reported", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.create();
  const deleted = await bench.create({ mcpServers: { old: { command: "old" } } });
  const rows = (db: Database) => db.query("SELECT * FROM sessions").all() as { id: string }[];
  let stored: { id: string }[] = [];
  tamper(bench, (db) => (stored = rows(db)));
  await bench.engine.sessions.delete(deleted.id, desk);
  await bench.closeHub();
  const forged = crypto.randomUUID();
  const evil = {
    folder: "/",
    startedBy: "admin",
    mode: "acceptEdits",
    mcpServers: { evil: { command: "/evil" } },
    variables: { BASH_ENV: "/evil" },
    systemPrompt: { mode: "replace", text: "evil" },
  };
  const insert = (db: Database, row: object) => {
    const names = Object.keys(row).map((name) => `"${name}"`);
    const marks = names.map(() => "?").join(", ");
    db.run(`INSERT INTO sessions (${names.join(", ")}) VALUES (${marks})`, Object.values(row));
  };
  tamper(bench, (db) => {
    const row = rows(db).find((each) => each.id === id);
    insert(db, { ...row, id: forged, folder: "/", options: JSON.stringify(evil) });
    insert(db, stored.find((each) => each.id === deleted.id) ?? {});
  });
  await bench.openHub({ readsAudit: true });
  const { sessions, folders } = bench.engine;
  expect(bench.engine.listUnconfirmed()).toEqual(
    [forged, deleted.id].map((each) => `the session ${each}`),
  );
  for (const each of [forged, deleted.id]) {
    expect(Object.keys(sessions.getOptions(each)).toSorted()).toEqual([
      "agent",
      "driver",
      "policy",
    ]);
  }
  await bench.runner();
  expect(folders.listAllowed().flatMap(({ fromSessions }) => fromSessions)).not.toContain("/");
});

test("[HB91] what instructs or limits an agent counts only as the audit has it", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.create({ maxBudgetUsd: 1 });
  await bench.closeHub();
  tamper(bench, (db) =>
    db.run(`UPDATE sessions SET options = json_set(options, '$.maxBudgetUsd', 1000) WHERE id = ?`, [
      id,
    ]),
  );
  await bench.openHub({ readsAudit: true });
  expect(bench.engine.sessions.getOptions(id)).not.toHaveProperty("maxBudgetUsd");
  expect(bench.engine.listUnconfirmed()).toEqual([
    `the folder or the options of the session ${id}`,
  ]);
});

test("[HB92] options that an earlier version audited in part are adopted once", async () => {
  await using bench = await Bench.open();
  const made = { mcpServers: { mine: { command: "mine" } } };
  const [old, other] = [await bench.create(made), await bench.create(made)];
  await bench.closeHub();
  tamper(bench, (db) => {
    db.run("DROP TRIGGER auditIsNotChanged");
    db.run(`UPDATE audit SET facts = json_remove(facts, '$.fixedOptions')`);
  });
  const forge = (id: string) =>
    tamper(bench, (db) =>
      db.run(
        `UPDATE sessions SET options = json_set(options, '$.mcpServers.mine.command', 'evil') WHERE id = ?`,
        [id],
      ),
    );
  await bench.openHub({ readsAudit: true });
  expect(bench.engine.listUnconfirmed()).toEqual([]);
  expect(bench.engine.sessions.getOptions(old.id)).toMatchObject(made);
  await bench.closeHub();
  forge(other.id);
  await bench.openHub({ readsAudit: true });
  expect(bench.engine.sessions.getOptions(old.id)).toMatchObject(made);
  expect(bench.engine.sessions.getOptions(other.id)).not.toHaveProperty("mcpServers");
  expect(bench.engine.listUnconfirmed()).toEqual([
    `the folder or the options of the session ${other.id}`,
  ]);
});

test("[HD12] an ask that somebody has changed in the database is not shown, whatever of it has changed", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const session = await bench.running(runner);
  const suggestions = [
    { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "ls" }], behavior: "allow" },
  ];
  runner.ask(session, "whole", { suggestions });
  runner.ask(session, "changed", { suggestions });
  await until(() => bench.engine.asks.list().length === 2);
  const changed = bench.engine.asks.list().find(({ requestId }) => requestId === "changed");
  await bench.closeHub();
  tamper(bench, (db) =>
    db.run(
      `UPDATE asks SET json = json_set(json, '$.suggestions[0].rules[0].ruleContent', 'pwd')
       WHERE requestId = 'changed'`,
    ),
  );
  await bench.openHub({ readsAudit: true });
  expect(bench.engine.asks.list().map(({ requestId }) => requestId)).toEqual(["whole"]);
  expect(bench.engine.asks.unaudited).toEqual([changed?.id ?? ""]);
});

test("[HB92] sessions of before isolation was audited keep theirs, and nobody can add one later", async () => {
  await using bench = await Bench.open();
  const old = await bench.create({ isolation: "off", policy: "accept-edits" });
  const other = await bench.create();
  await bench.closeHub();
  // As the version before wrote them. This store signs nothing, so that the chain need not fit.
  tamper(bench, (db) => {
    db.run("DROP TRIGGER auditIsNotChanged");
    db.run(`UPDATE audit SET facts = '{"folder":"/","policy":"accept-edits"}' WHERE session = ?`, [
      old.id,
    ]);
    db.run(`UPDATE audit SET facts = '{"folder":"/","policy":"default"}' WHERE session = ?`, [
      other.id,
    ]);
  });
  await bench.openHub({ readsAudit: true });
  expect(bench.engine.listUnconfirmed()).toEqual([]);
  expect(bench.engine.sessions.get(old.id)).toMatchObject({
    policy: "accept-edits",
    options: { isolation: "off" },
  });
  await bench.closeHub();
  tamper(bench, (db) =>
    db.run(`UPDATE sessions SET options = json_set(options, '$.isolation', 'off') WHERE id = ?`, [
      other.id,
    ]),
  );
  await bench.openHub({ readsAudit: true });
  expect(bench.engine.listUnconfirmed()).toEqual([
    `the isolation "off" of the session ${other.id}`,
  ]);
});

const environments = { work: { API_KEY: "a secret", ANTHROPIC_BASE_URL: { value: "https://a" } } };
const agent = { name: "mine", driver: "stdio", models: [], flags: ["--verbose"] };

/** A closed hub whose settings people have set. */
async function openWithSettings(): Promise<Bench> {
  const bench = await Bench.open();
  await bench.runner();
  const { settings, folders, embeddingOrigins, relaySetting } = bench.engine;
  await settings.setAgents([agent], desk);
  await settings.setEnvironments(environments, desk);
  await settings.setSessionDefaults({ permission: "supervised", askLimit: null }, desk);
  await folders.setAllowed({ folders: [bench.folder] }, desk);
  await bench.engine.projectOptions.set({ folder: "/", options: { model: "opus" } }, desk);
  await embeddingOrigins.set(["https://app.example.com"], desk);
  await relaySetting.set(false, desk);
  await bench.closeHub();
  return bench;
}

test("[HB100] settings that people have set count after a restart, also those of a hub that kept no digests", async () => {
  await using bench = await openWithSettings();
  for (const _ of ["first", "second"]) {
    await bench.openHub({ readsAudit: true });
    await bench.runner();
    const { settings, folders } = bench.engine;
    expect(bench.engine.listUnconfirmed()).toEqual([]);
    expect((await settings.getSessionDefaults()).permission).toBe("supervised");
    expect(Object.keys(await settings.getEnvironments())).toEqual(["work"]);
    expect((await settings.listAgents()).map(({ name }) => name)).toContain("mine");
    expect(folders.listAllowed()).toMatchObject([{ folders: [bench.folder] }]);
    expect(bench.engine.projectOptions.list()).toMatchObject([{ options: { model: "opus" } }]);
    expect(bench.engine.relaySetting.isOn()).toBe(false);
    await bench.closeHub();
    // As a version wrote them that knew no digests.
    tamper(bench, (db) => {
      db.run("DROP TRIGGER IF EXISTS auditIsNotChanged");
      db.run(`UPDATE audit SET "facts" = json_remove("facts", '$.digests')`);
    });
  }
  await bench.openHub({ readsAudit: true });
  const entries = await bench.store.auditBefore(undefined, 100);
  const adopted = entries.filter(({ what }) => what === "settings-adopted");
  expect(adopted.length).toBe(14);
  expect(JSON.stringify(entries)).not.toContain("a secret");
});

const forged: readonly [key: string, value: unknown, problem: string][] = [
  [
    "agents",
    [{ ...agent, flags: ["--dangerously-skip-permissions"] }],
    "the agents in the settings",
  ],
  ["agents", [{ ...agent, path: "/evil" }, agent], "the agents in the settings"],
  ["agents", "no list", "the agents in the settings"],
  [
    "environments",
    { work: { ...environments.work, ANTHROPIC_BASE_URL: { value: "https://evil" } } },
    "the environment profiles in the settings",
  ],
  [
    "environments",
    { work: { ...environments.work, BASH_ENV: "/evil" } },
    "the environment profiles in the settings",
  ],
  [
    "session-defaults",
    { permission: "accept-edits", askLimit: null },
    "the permission and the time limit of new sessions in the settings",
  ],
  ["allowed-folders", { [OWN]: ["/"] }, "the allowed folders in the settings"],
  ["allowed-folders", {}, "the allowed folders in the settings"],
  [
    "project-options",
    [{ runner: OWN, folder: "/", options: { mcpServers: { x: { command: "evil" } } } }],
    "the defaults of projects in the settings",
  ],
  [
    "embedding-origins",
    { origins: ["https://evil.example"] },
    "the embedding origins in the settings",
  ],
  ["relay", { on: true }, "the relay in the settings"],
];
test.each(forged)(
  "[HB101] the setting %s that somebody wrote into the database as %j does not count, and is reported",
  async (key, value, problem) => {
    await using bench = await openWithSettings();
    tamper(bench, (db) =>
      db.run(`UPDATE settings SET "value" = ? WHERE "key" = ?`, [JSON.stringify(value), key]),
    );
    await bench.openHub({ readsAudit: true });
    await bench.runner();
    const { settings, folders } = bench.engine;
    expect(bench.engine.listUnconfirmed()).toEqual([problem]);
    const agents = (await settings.listAgents()).map(({ name }) => name);
    expect(agents.includes("mine")).toBe(key !== "agents");
    expect(Object.keys(await settings.getEnvironments()).length).toBe(
      key === "environments" ? 0 : 1,
    );
    expect((await settings.getSessionDefaults()).permission).toBe("supervised");
    const projects = bench.engine.projectOptions.list().map(({ options }) => options);
    expect(projects).toEqual(key === "project-options" ? [] : [{ model: "opus" }]);
    const allowed = key === "allowed-folders" ? [] : [bench.folder];
    expect(folders.listAllowed()).toMatchObject([{ folders: allowed }]);
    const mine = ["https://app.example.com"];
    const { embeddingOrigins } = bench.engine;
    expect(embeddingOrigins.list().origins).toEqual(key === "embedding-origins" ? [] : mine);
    expect(bench.engine.relaySetting.isOn()).toBe(false);
    // Who sets it again puts it right.
    await bench.engine.relaySetting.set(false, desk);
    await embeddingOrigins.set(mine, desk);
    await settings.setAgents([agent], desk);
    await settings.setEnvironments(environments, desk);
    await bench.engine.projectOptions.set({ folder: "/", options: null }, desk);
    await settings.setSessionDefaults({ permission: "supervised", askLimit: null }, desk);
    await folders.setAllowed({ folders: [bench.folder] }, desk);
    await bench.closeHub();
    await bench.openHub({ readsAudit: true });
    expect(bench.engine.listUnconfirmed()).toEqual([]);
  },
);
