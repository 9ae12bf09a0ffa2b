import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { until } from "@signalbox/testing/until";
import { readSessionOptions } from "../src/hub/session-options.ts";
import { UsageError } from "../src/usage-error.ts";

setDefaultTimeout(180_000);

describe("the flags of a session's options", () => {
  const read = (values: Parameters<typeof readSessionOptions>[0]) =>
    readSessionOptions(values, (path) => join("/here", path));

  test("become the options of the API", () => {
    using folder = tempFolder();
    const file = join(folder.path, "prompt.txt");
    writeFileSync(file, "From a file.");
    expect(read({})).toEqual({});
    const server = { type: "http", url: "http://127.0.0.1/mcp" };
    const values = {
      model: "opus",
      "fallback-model": "haiku",
      effort: "high",
      profile: "work",
      "add-dir": ["a", "b"],
      env: ["A=1=2", "HOME"],
      "mcp-config": [JSON.stringify({ mcpServers: { x: server } })],
      "append-system-prompt": `@${file}`,
      "max-turns": "3",
      "max-budget-usd": "1.5",
      "json-schema": '{"type":"object"}',
      "request-time-limit": "10",
    };
    expect(read(values)).toEqual({
      model: "opus",
      fallbackModel: "haiku",
      effort: "high",
      environment: "work",
      addDirs: ["/here/a", "/here/b"],
      variables: { A: "1=2", HOME: process.env["HOME"] ?? "" },
      mcpServers: { x: server as { type: "http"; url: string } },
      systemPrompt: { mode: "append", text: "From a file." },
      maxTurns: 3,
      maxBudgetUsd: 1.5,
      jsonSchema: { type: "object" },
      askLimitMinutes: 10,
    });
    expect(read({ "system-prompt": "Be brief." }).systemPrompt).toEqual({
      mode: "replace",
      text: "Be brief.",
    });
  });

  test("are refused with the name of the flag and what is wrong", () => {
    const wrong: [Parameters<typeof read>[0], string][] = [
      [{ env: ["=x"] }, "--env needs a name"],
      [{ env: ["SIGNALBOX_TEST_ABSENT"] }, "has no variable SIGNALBOX_TEST_ABSENT"],
      [{ "mcp-config": ["{}"] }, 'must hold an object "mcpServers"'],
      [{ "mcp-config": ["/nowhere/servers.json"] }, "it does not exist"],
      [{ "json-schema": "{" }, "--json-schema is not valid JSON"],
      [{ "json-schema": "[]" }, "--json-schema must be a JSON object"],
      [{ "max-turns": "many" }, "--max-turns must be a whole number"],
      [{ "max-budget-usd": "0" }, "--max-budget-usd must be a number greater than 0"],
      [{ "system-prompt": "a", "append-system-prompt": "b" }, "Use either --system-prompt"],
    ];
    for (const [values, message] of wrong) {
      expect(() => read(values)).toThrow(UsageError);
      expect(() => read(values)).toThrow(message);
    }
  });
});

describe("on a hub", () => {
  let hub: Awaited<ReturnType<typeof openHubStage>>;
  beforeAll(async () => {
    hub = await openHubStage();
  });
  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
  });
  const newest = async () =>
    (await hub.admin.sessions()).toSorted((a, b) => b.createdAt - a.createdAt)[0];

  test("[HB110] signalbox new sets what a driver may, and the agent gets it", async () => {
    const made = await hub.command([
      "new",
      "--append-system-prompt",
      "Answer like a pirate-7.",
      "--max-turns",
      "5",
      "--effort",
      "low",
      "--fallback-model",
      "haiku",
      "--max-budget-usd",
      "3",
      "::say Ahoy",
    ]);
    expect([made.exit, made.stderr]).toEqual([0, ""]);
    const id = made.stdout.trim();
    await until(async () => (await hub.admin.session(id)).summary.turns === 1);
    expect(await hub.admin.sessionOptions(id)).toMatchObject({
      effort: "low",
      fallbackModel: "haiku",
      maxTurns: 5,
      maxBudgetUsd: 3,
      systemPrompt: { mode: "append", text: "Answer like a pirate-7." },
    });
    expect(JSON.stringify(hub.model.requests)).toContain("Answer like a pirate-7.");
  });

  test("[HB113] signalbox set changes the options from the next start on, lists and removes them", async () => {
    const id = (await newest())?.id ?? "";
    const seen = () => JSON.stringify(hub.model.requests.at(-1));
    const set = await hub.command(["set", id, "--model", "haiku", "--max-turns", "7"]);
    expect([set.exit, set.stdout]).toEqual([0, ""]);
    expect(set.stderr).toContain("is running with its previous options");
    expect(set.stderr).toContain("signalbox restart");
    const listed = await hub.command(["set", id]);
    expect(listed.stdout).toMatch(/^model +haiku$/m);
    expect(listed.stdout).toMatch(/^maxTurns +7$/m);
    const restarted = await hub.command([
      "set",
      id,
      "--append-system-prompt",
      "Answer like a cook-4.",
      "--unset",
      "max-turns",
      "--restart",
    ]);
    expect([restarted.exit, restarted.stderr]).toEqual([0, ""]);
    await hub.admin.send(id, { text: "::say Served" });
    await until(async () => (await hub.admin.session(id)).summary.turns === 2);
    expect(seen()).toContain("haiku");
    expect(seen()).toContain("Answer like a cook-4.");
    expect(seen()).not.toContain("pirate-7");
    expect(await hub.admin.sessionOptions(id)).not.toHaveProperty("maxTurns");
    const wrong = await hub.command(["set", id, "--unset", "everything"]);
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining("--unset must be")]);
    const refused = await hub.command(["set", id, "--env", "TOKEN=s3cret-value"]);
    expect([refused.exit, refused.stderr]).toEqual([
      3,
      expect.stringContaining('A driver cannot change "variables" of a session'),
    ]);
  });

  test("[HB56] signalbox restart starts an agent again, or retries its last message", async () => {
    const id = (await newest())?.id ?? "";
    await hub.admin.stop(id);
    const restarted = await hub.command(["restart", id]);
    expect([restarted.exit, restarted.stderr]).toEqual([0, ""]);
    await until(async () => (await hub.admin.session(id)).state === "running");
    const retried = await hub.command(["restart", "--retry", id]);
    expect([retried.exit, retried.stderr]).toEqual([0, ""]);
    await until(async () => {
      const { summary, queue } = await hub.admin.session(id);
      return summary.status === "idle" && summary.turns === 3 && queue.length === 0;
    });
    expect((await hub.command(["restart", "--fresh", id])).exit).toBe(2);
  });

  test("[HH61] options that take an approver are refused without a terminal, and set once one confirms", async () => {
    const args = ["new", "--env", "TOKEN=s3cret-value"];
    const refused = await hub.command(args);
    expect([refused.exit, refused.stderr]).toEqual([
      3,
      expect.stringContaining('A driver cannot choose "variables" for a session'),
    ]);
    const asked = hub.commandOnTerminal(args);
    await asked.terminal.until("Confirm this terminal on a paired device of an approver");
    const waiting = await until("it waits", async () => (await hub.admin.elevations())[0]);
    await hub.admin.decideElevation(waiting, true);
    expect(await asked.exited).toBe(0);
    const options = await hub.admin.sessionOptions((await newest())?.id ?? "");
    expect(options.variables).toEqual({ TOKEN: null });
  });
});
