import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/store/open-store.ts";
import { Settings } from "../../src/services/settings.ts";
import { createAuditChange } from "../../src/store/audit-change.ts";
import { RunnerLinks } from "../../src/link/runner-links.ts";
import { DriverCatalog } from "../../src/services/driver-catalog.ts";

const drivers = new DriverCatalog(new RunnerLinks());

const entry = (facts: object) => createAuditChange("agents-set", null, null, { ...facts });

const offered = { name: "ours", path: "/opt/ours", driver: "stdio", models: [], flags: [] };

test("a bundled agent is offered beside Claude Code, and a configured agent of the same name replaces it", async () => {
  const data = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  await using store = await openStore(data);
  const settings = new Settings(store, drivers, [offered]);
  expect(settings.agents.map(({ name }) => name)).toEqual(["claude-code", "ours"]);
  await settings.setAgents([...settings.agents, { ...offered, name: "other" }], entry);

  const elsewhere = new Settings(store, drivers, [{ ...offered, path: "/usr/ours" }]);
  await elsewhere.load();
  expect(elsewhere.agents.map(({ name }) => name)).toEqual(["claude-code", "ours", "other"]);
  expect(elsewhere.agent("ours").path).toBe("/usr/ours");

  await elsewhere.setAgents([{ ...offered, path: "/home/me/mine" }], entry);
  const again = new Settings(store, drivers, [offered]);
  await again.load();
  expect(again.agent("ours").path).toBe("/home/me/mine");
  rmSync(data, { recursive: true, force: true });
});

test("a program that could differ between machines is refused: a relative path, or a package without an exact version", async () => {
  const data = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  await using store = await openStore(data);
  const settings = new Settings(store, drivers, []);
  const { path: _, ...agent } = offered;
  const set = (program: object) =>
    settings.setAgents([{ ...agent, ...program }], entry).catch((why: unknown) => why);
  for (const path of ["bin/agent", "", "~/agent", "/opt/a\0b"]) {
    expect(await set({ path })).toMatchObject({ status: 422, code: "bad-path" });
  }
  for (const npm of ["../../etc; rm -rf x", "claude-code", "claude-code@latest", ""]) {
    expect(await set({ npm })).toMatchObject({ status: 422, code: "bad-package" });
  }
  expect(settings.agents.map(({ name }) => name)).toEqual(["claude-code"]);
  expect(await set({ npm: "@anthropic-ai/claude-code@2.1.118" })).toBeUndefined();
  rmSync(data, { recursive: true, force: true });
});
