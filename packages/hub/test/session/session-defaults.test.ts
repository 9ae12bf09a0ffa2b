import { expect, setDefaultTimeout, test } from "bun:test";
import { Bench, desk } from "./bench.ts";
import { EngineTime } from "./engine-time.ts";
import { until } from "./fake-runner.ts";

setDefaultTimeout(60_000);

const driver = { ...desk, role: "driver" } as const;

test("[HB95] new sessions have the default permission, and a driver's at most its own limit", async () => {
  await using bench = await Bench.open();
  await bench.runner();
  const { settings, sessions } = bench.engine;
  const create = (by: typeof desk | typeof driver, policy?: "supervised") =>
    sessions.create(crypto.randomUUID(), { folder: bench.folder, ...(policy && { policy }) }, by);
  await settings.setSessionDefaults({ permission: "accept-edits", askLimit: null }, desk);
  expect((await create(desk)).policy).toBe("accept-edits");
  expect((await create(desk, "supervised")).policy).toBe("supervised");
  expect((await create(driver)).policy).toBe("default");
  await settings.setSessionDefaults({ permission: "supervised", askLimit: null }, desk);
  expect((await create(driver)).policy).toBe("supervised");

  await bench.closeHub();
  await bench.openHub();
  expect((await bench.engine.settings.getSessionDefaults()).permission).toBe("supervised");
  const entries = await bench.store.auditBefore(undefined, 100);
  const entry = entries.find(({ what }) => what === "session-defaults-set");
  expect(entry?.facts).toMatchObject({
    permission: "supervised",
    before: { permission: "accept-edits", askLimit: null },
  });
});

test("[HB96] the time limit of all requests denies, and stops if that is wanted; a session's own counts before it", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const runner = await bench.runner();
  const { settings } = bench.engine;
  const unlimited = await bench.running(runner);
  runner.ask(unlimited, "before");
  expect((await bench.ask(unlimited)).expiresAt).toBeUndefined();

  const askLimit = { minutes: 2, onTimeout: "deny-and-stop" } as const;
  await settings.setSessionDefaults({ permission: "default", askLimit }, desk);
  const limited = await bench.running(runner);
  const own = await bench.running(runner, { askLimitMinutes: 60 });
  runner.ask(limited, "limited");
  runner.ask(own, "own");
  const ask = await bench.ask(limited);
  expect((ask.expiresAt ?? 0) - ask.openedAt).toBe(120_000);
  expect(ask.stopsAtExpiry).toBe(true);
  const ownAsk = await bench.ask(own);
  expect((ownAsk.expiresAt ?? 0) - ownAsk.openedAt).toBe(3_600_000);
  expect(ownAsk.stopsAtExpiry).toBeUndefined();

  // What is shown counts: a limit that is changed later changes no request that is open.
  await settings.setSessionDefaults({ permission: "default", askLimit: null }, desk);
  time.tick();
  for (let passed = 0; passed < 4; passed++) time.pass(30_000);
  await until(() => runner.orders("decide").length > 0);
  expect(runner.orders("decide")).toMatchObject([
    {
      requestId: "limited",
      how: "expired",
      decision: {
        behavior: "deny",
        stop: true,
        message: "Nobody answered within 2 minutes, so this was not allowed.",
      },
    },
  ]);
  const waiting = bench.engine.asks.list().map(({ requestId }) => requestId);
  expect(waiting).toEqual(["before", "own"]);
  const entries = await bench.store.auditBefore(undefined, 100);
  const facts = entries.find(({ what }) => what === "expired")?.facts;
  expect(facts).toMatchObject({ tool: "Bash", stop: true });
});

test("[HB97] values of secrets are never returned, and are kept when they are sent back as null", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const { settings } = bench.engine;
  const first = {
    work: { API_KEY: "s3cret-value", CLAUDE_CONFIG_DIR: { value: bench.folder } },
  };
  await settings.setEnvironments(first, desk);
  const listed = await settings.getEnvironments();
  expect(listed).toEqual({
    work: { API_KEY: null, CLAUDE_CONFIG_DIR: { value: bench.folder } },
  });

  await settings.setEnvironments({ work: { ...listed["work"], ADDED: { value: "1" } } }, desk);
  await bench.closeHub();
  await bench.openHub();
  expect((await bench.engine.settings.getEnvironments())["work"]?.["API_KEY"]).toBeNull();
  const again = await bench.runner(runner);
  await bench.running(again, { environment: "work" });
  expect(again.orders("start").at(-1)?.launch.environment).toEqual({
    API_KEY: "s3cret-value",
    CLAUDE_CONFIG_DIR: bench.folder,
    ADDED: "1",
  });
  const wrong: unknown = await bench.engine.settings
    .setEnvironments({ work: { OTHER: null } }, desk)
    .catch((failure: unknown) => failure);
  expect(wrong).toMatchObject({ status: 422, code: "no-such-value" });
  const entries = await bench.store.auditBefore(undefined, 100);
  expect(JSON.stringify(entries)).not.toContain("s3cret-value");
  const facts = entries.find(({ what }) => what === "environments-set")?.facts;
  expect(facts).toMatchObject({
    profiles: ["work"],
    variables: { work: ["API_KEY", "CLAUDE_CONFIG_DIR", "ADDED"] },
  });
});

test("[HB98] an agent is tested without being saved, and its default model is that of sessions that name none", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const { settings } = bench.engine;
  const agent = { name: "pinned", driver: "stdio", model: "sonnet", models: [], flags: [] };
  await settings.testAgent({ ...agent, path: "/opt/pinned" }, desk);
  expect(runner.orders("find-agent")).toMatchObject([{ path: "/opt/pinned" }]);
  const entries = await bench.store.auditBefore(undefined, 100);
  const tested = entries.find(({ what }) => what === "agent-tested");
  expect(tested).toMatchObject({ by: desk.name, facts: { name: "pinned", path: "/opt/pinned" } });
  expect((await settings.listAgents()).map(({ name }) => name)).not.toContain("pinned");
  await settings.setAgents([agent], desk);
  await bench.running(runner, { agent: "pinned" });
  await bench.running(runner, { agent: "pinned", model: "opus" });
  const models = runner.orders("start").map(({ launch }) => launch.model);
  expect(models).toEqual(["sonnet", "opus"]);
});

test.each([
  "--allowedTools Bash",
  "--allowed-tools=Bash",
  '--settings {"permissions":{"defaultMode":"bypassPermissions"}}',
  "--setting-sources=project",
  "--plugin-dir=/x",
  "--mcp-config=/x.json",
  "--agents={}",
  "--add-dir=/",
])(
  "[HB98] an agent with the option %s is not saved, because drivers may choose it",
  async (option) => {
    const flags = option.split(" ");
    await using bench = await Bench.open();
    const agent = { name: "loose", driver: "stdio", models: [], flags };
    const why: unknown = await bench.engine.settings
      .setAgents([agent], desk)
      .catch((failure: unknown) => failure);
    expect(why).toMatchObject({ status: 422, code: "askless-flag" });
    const fine = { ...agent, flags: ["--verbose", "--fallback-model", "haiku"] };
    await bench.engine.settings.setAgents([fine], desk);
  },
);
