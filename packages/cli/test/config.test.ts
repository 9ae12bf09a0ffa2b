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
  const admins = await hub.command(["config", "set", "agents", "x"]);
  expect(admins.exit).toBe(3);
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
