import { realpathSync } from "node:fs";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

let hub: Awaited<ReturnType<typeof openHubStage>>;
beforeAll(async () => {
  hub = await openHubStage();
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
});

test("signalbox config lists the settings and reads one, and never a secret", async () => {
  await hub.admin.setEnvironments({
    ...(await hub.admin.environments()),
    gateway: { ANTHROPIC_AUTH_TOKEN: "s3cret-value" },
  });
  const listed = await hub.command(["config", "list"]);
  expect(listed.exit).toBe(0);
  expect(listed.stdout).toMatch(/^permission +default$/m);
  expect(listed.stdout).toMatch(/^requests\.time-limit +none$/m);
  expect(listed.stdout).toContain("gateway");
  const json = await hub.command(["config", "list", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ permission: "default" });
  for (const { stdout } of [listed, json]) expect(stdout).not.toContain("s3cret-value");
  expect((await hub.command(["config", "get", "permission"])).stdout).toBe("default\n");
});

test("signalbox config says what it does not know, and where an admin changes a setting", async () => {
  const unknown = await hub.command(["config", "get", "colors"]);
  expect([unknown.exit, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('There is no setting "colors".'),
  ]);
  const admins = await hub.command(["config", "agents", "remove", "claude-code"]);
  expect(admins.exit).toBe(3);
  expect(admins.stderr).toContain("needs an admin");
  expect(admins.stderr).toContain("/settings/agents");
  const never = await hub.command(["config", "set", "permission", "autonomous"]);
  expect(never.exit).toBe(2);
  const negative = await hub.command(["config", "set", "requests.time-limit", "-1"]);
  expect(negative.exit).toBe(2);
});

test("signalbox config changes nothing without a terminal, and says where to confirm", async () => {
  const { exit, stderr } = await hub.command(["config", "set", "requests.time-limit", "5"]);
  expect(exit).toBe(3);
  expect(stderr).toContain("needs an approver");
  expect(stderr).toContain("/settings/permissions");
  expect((await hub.admin.sessionDefaults()).askLimit).toBeNull();
});

test("signalbox config changes a setting once an approver's device has confirmed the terminal, and not before", async () => {
  const set = ["config", "set", "requests.time-limit", "5"];
  const confirmed = hub.commandOnTerminal(set);
  await confirmed.terminal.until("Confirm this terminal on a paired device of an approver");
  expect((await hub.admin.sessionDefaults()).askLimit).toBeNull();
  const waiting = await until("it waits", async () => (await hub.admin.elevations())[0]);
  await hub.admin.decideElevation(waiting, true);
  expect(await confirmed.exited).toBe(0);
  const askLimit = { minutes: 5, onTimeout: "deny" } as const;
  expect((await hub.admin.sessionDefaults()).askLimit).toEqual(askLimit);

  const refused = hub.commandOnTerminal(["config", "set", "requests.time-limit", "none"]);
  await refused.terminal.until("Confirm this terminal on a paired device of an approver");
  const again = await until("it waits", async () => (await hub.admin.elevations())[0]);
  await hub.admin.decideElevation(again, false);
  expect(await refused.exited).toBe(3);
  expect((await hub.admin.sessionDefaults()).askLimit).toEqual(askLimit);
});

/** Runs a command on a terminal which the admin's device confirms. Returns what it printed. */
async function runConfirmed(
  args: string[],
  type?: string,
  role: "approver" | "admin" = "admin",
): Promise<string> {
  const { terminal, exited } = hub.commandOnTerminal(args);
  if (type !== undefined) await terminal.answer(type, ": ");
  await terminal.until(`Confirm this terminal on a paired device of an ${role}`);
  const waiting = await until("it waits", async () => (await hub.admin.elevations())[0]);
  expect(waiting.role).toBe(role);
  await hub.admin.decideElevation(waiting, true);
  expect(await exited).toBe(0);
  return terminal.text;
}

test("signalbox config agents adds, changes, tests and removes an agent, and keeps the others", async () => {
  const before = await hub.admin.agents();
  const path = before.find(({ name }) => name === "claude-code")?.path ?? "";
  const added = ["config", "agents", "add", "second", "--path", path, "--flag=--verbose"];
  const printed = await runConfirmed(added);
  expect(printed).toContain("/inbox");
  const find = async () => (await hub.admin.agents()).find(({ name }) => name === "second");
  expect(await find()).toMatchObject({ path, driver: "stdio", flags: ["--verbose"] });
  await runConfirmed(["config", "agents", "edit", "second", "--model", "opus", "--flag="]);
  expect(await find()).toMatchObject({ path, model: "opus", flags: [] });
  const tested = await hub.command(["config", "agents", "test", "second"]);
  expect([tested.exit, tested.stdout]).toEqual([0, expect.stringContaining("model opus")]);
  const unsaved = ["config", "agents", "test", "second", "--path", "/nowhere/claude"];
  const { terminal, exited } = hub.commandOnTerminal(unsaved);
  await terminal.until("needs an admin");
  const waiting = await until("it waits", async () => (await hub.admin.elevations())[0]);
  await hub.admin.decideElevation(waiting, true);
  expect(await exited).toBe(4);
  expect(terminal.text).toContain("/nowhere/claude");
  expect(await find()).toMatchObject({ path });
  await runConfirmed(["config", "agents", "remove", "second"]);
  const names = (agents: typeof before) => agents.map(({ name }) => name);
  expect(names(await hub.admin.agents())).toEqual(names(before));
});

test("signalbox config accounts stores a secret that was typed or read, and shows it nobody", async () => {
  const secret = "typed-s3cret-value";
  const refused = await hub.command([
    "config",
    "accounts",
    "set",
    "work",
    `TOKEN=${"x".repeat(9)}`,
  ]);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining("standard input")]);
  const printed = await runConfirmed(["config", "accounts", "set", "work", "TOKEN"], secret);
  expect(printed).not.toContain(secret);
  const visible = ["config", "accounts", "set", "work", "CLAUDE_CONFIG_DIR=/x", "--visible"];
  await runConfirmed(visible);
  expect((await hub.admin.environments())["work"]).toEqual({
    TOKEN: null,
    CLAUDE_CONFIG_DIR: { value: "/x" },
  });
  expect((await hub.command(["config", "accounts"])).stdout).toContain("work");
  const shown = await runConfirmed(["config", "accounts", "show", "work"]);
  expect(shown).toContain("(secret)");
  expect(shown).not.toContain(secret);
  await runConfirmed(["config", "accounts", "unset", "work", "TOKEN"]);
  expect((await hub.admin.environments())["work"]).toEqual({ CLAUDE_CONFIG_DIR: { value: "/x" } });
  await runConfirmed(["config", "accounts", "remove", "work"]);
  expect(await hub.admin.environmentNames()).not.toContain("work");
});

test("signalbox config allowed-folders adds and removes folders of a machine", async () => {
  const folders = async () => (await hub.admin.allowedFolders())[0]?.folders;
  const before = (await folders()) ?? [];
  const folder = realpathSync("/usr/share");
  await runConfirmed(["config", "allowed-folders", "add", folder]);
  expect(await folders()).toEqual([...before, folder]);
  const listed = await hub.command(["config", "allowed-folders"]);
  expect(listed.stdout).toContain(folder);
  await runConfirmed(["config", "allowed-folders", "remove", folder]);
  expect(await folders()).toEqual(before);
  const unknown = await hub.command(["config", "allowed-folders", "remove", folder]);
  expect(unknown.exit).toBe(4);
});

test("[HB114] signalbox config projects sets, shows and removes the defaults of a folder", async () => {
  const { folder } = hub;
  const set = ["config", "projects", "set", folder];
  const change = (args: string[]) => runConfirmed(args, undefined, "approver");
  await change([...set, "--model", "haiku", "--max-turns", "4", "--env", "PLACE=shop"]);
  await change([...set, "--policy", "plan", "--unset", "max-turns"]);
  expect(await hub.admin.projectOptions()).toMatchObject([
    {
      folder,
      options: { model: "haiku", policy: "plan", variables: { PLACE: { value: "shop" } } },
    },
  ]);
  const shown = await hub.command(["config", "projects", "show", folder]);
  expect(shown.stdout).toMatch(/^model +haiku$/m);
  expect(shown.stdout).not.toContain("maxTurns");
  expect((await hub.command(["config", "projects"])).stdout).toContain(folder);
  const made = await hub.command(["new", "--folder", folder, "--effort", "low"]);
  expect(await hub.admin.sessionOptions(made.stdout.trim())).toMatchObject({
    model: "haiku",
    effort: "low",
    policy: "plan",
  });
  await change(["config", "projects", "remove", folder]);
  expect(await hub.admin.projectOptions()).toEqual([]);
  expect((await hub.command(["config", "projects", "remove", folder])).exit).toBe(4);
  expect((await hub.command(set)).exit).toBe(2);
});

test("[HH92] signalbox config embedding-origins adds and removes exact origins, once an approver has confirmed", async () => {
  const origins = async () => (await hub.admin.embeddingOrigins()).origins;
  const origin = "https://app.example.com";
  const alone = await hub.command(["config", "embedding-origins", "add", origin]);
  expect([alone.exit, alone.stderr]).toEqual([3, expect.stringContaining("needs an approver")]);
  await runConfirmed(["config", "embedding-origins", "add", origin], undefined, "approver");
  expect(await origins()).toEqual([origin]);
  expect((await hub.command(["config", "embedding-origins"])).stdout).toBe(`${origin}\n`);
  expect((await hub.command(["config", "get", "embedding-origins"])).stdout).toBe(`${origin}\n`);
  await runConfirmed(["config", "embedding-origins", "remove", origin], undefined, "approver");
  expect(await origins()).toEqual([]);
  const unknown = await hub.command(["config", "embedding-origins", "remove", origin]);
  expect(unknown.exit).toBe(4);
});

test("[RL70] signalbox config relay turns the relay on for the next start, once an approver has confirmed", async () => {
  const shown = async () => (await hub.command(["config", "relay"])).stdout;
  expect(await shown()).toBe("The relay is off.\n");
  const alone = await hub.command(["config", "relay", "on"]);
  expect([alone.exit, alone.stderr]).toEqual([3, expect.stringContaining("needs an approver")]);
  await runConfirmed(["config", "relay", "on"], undefined, "approver");
  expect(await shown()).toBe("The relay is off. Restart the hub to turn it on.\n");
  const json = await hub.command(["config", "get", "relay", "--json"]);
  expect(JSON.parse(json.stdout)).toEqual({ on: true, running: false, startOption: false });
  await runConfirmed(["config", "relay", "off"], undefined, "approver");
  expect(await shown()).toBe("The relay is off.\n");
  expect((await hub.command(["config", "relay", "maybe"])).exit).toBe(2);
});

test("signalbox config has every section of the page, with a help of its own", async () => {
  const { stdout } = await hub.command(["config", "--help"]);
  for (const section of ["agents", "accounts", "trust", "machines", "devices", "audit"]) {
    expect(stdout).toContain(`  ${section} `);
    const help = await hub.command(["config", section, "--help"]);
    expect(help.stdout).toMatch(/^Usage: signalbox /);
    expect(help.stdout).not.toBe(stdout);
  }
  expect((await hub.command(["config", "trust"])).exit).toBe(0);
  const notifications = await hub.command(["config", "notifications"]);
  expect(notifications.stdout).toContain("/settings/notifications");
});
