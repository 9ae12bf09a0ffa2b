import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fits } from "../src/hooks/condition.ts";
import { matches } from "../src/hooks/matcher.ts";
import { getHooks, removeDuplicates } from "../src/hooks/settings-hooks.ts";
import { getSettings, type SettingsFile } from "../src/settings.ts";
import { withHeartbeat } from "../src/turn/heartbeat.ts";
import { failureHooks } from "../src/turn/stop-hooks.ts";
import { openToolStage } from "./tool-stage.ts";

const command = (line: string, more: object = {}, matcher = "") => ({
  matcher,
  hooks: [{ type: "command", command: line, ...more }],
});
const say = (answer: object) => `cat > /dev/null; echo '${JSON.stringify(answer)}'`;
const file = (source: SettingsFile["source"], content: object): SettingsFile => ({
  source,
  root: "/",
  content: { ...content },
});

const open = new Set<Disposable>();
afterEach(() => {
  for (const stage of open) stage[Symbol.dispose]();
  open.clear();
});

/** Opens a session with these hooks in which Bash may run everything. */
function hooked(hooks: object, more: object = {}) {
  const args = ["--allowed-tools", "Bash", "--settings", JSON.stringify({ hooks, ...more })];
  const stage = openToolStage({ args });
  open.add(stage);
  const made = (name: string) => existsSync(join(stage.folder, name));
  const heard = (subtype: string) => stage.said.filter((one) => one["subtype"] === subtype);
  return { ...stage, made, heard };
}

describe("active hooks", () => {
  const hooks = { Stop: [command("one")] };
  const names = (...files: SettingsFile[]) =>
    removeDuplicates(getHooks(getSettings(files), "Stop")).map(({ name }) => name);

  test("disableAllHooks of any file turns off all but the administrator's, whose own turns off all", () => {
    const managed = file("policySettings", { hooks: { Stop: [command("managed")] } });
    const off = file("flagSettings", { disableAllHooks: true });
    const on = file("flagSettings", { disableAllHooks: false });
    const user = file("userSettings", { hooks, disableAllHooks: true });
    expect(names(file("projectSettings", { hooks }), off)).toEqual([]);
    expect(names(file("projectSettings", { hooks }), off, managed)).toEqual(["managed"]);
    expect(names(user, on)).toEqual(["one"]);
    const none = file("policySettings", { ...managed.content, disableAllHooks: true });
    expect(names(file("projectSettings", { hooks }), none)).toEqual([]);
    const only = file("policySettings", { ...managed.content, allowManagedHooksOnly: true });
    expect(names(file("projectSettings", { hooks }), only)).toEqual(["managed"]);
  });

  test("the same hook in several files runs once, with another condition twice", () => {
    const conditional = { Stop: [command("one", { if: "Bash" })] };
    expect(names(file("userSettings", { hooks }), file("projectSettings", { hooks }))).toEqual([
      "one",
    ]);
    expect(
      names(file("userSettings", { hooks }), file("flagSettings", { hooks: conditional })),
    ).toEqual(["one", "one"]);
  });

  test("matchers are names separated by bars and commas, or regular expressions", () => {
    const fitting = [
      "Bash",
      " Bash ",
      "Write, Bash",
      "Write|Bash",
      "Bash,",
      "^Bash$",
      "Ba.*",
      "*",
      "",
    ];
    expect(matches("Bash", undefined)).toBe(true); // There is nothing to compare with.
    const others = ["bash", "Ba", "Bash Write", "[", "mcp__.*", "Edit"];
    expect(fitting.filter((one) => !matches(one, "Bash"))).toEqual([]);
    expect(others.filter((one) => matches(one, "Bash"))).toEqual([]);
    expect(matches("Task|Read", "Agent")).toBe(true);
  });

  test("a condition is a permission rule, and no rule matches an event that is not a call", () => {
    const fit = (text: string, tool_name: string, tool_input: object) =>
      fits({ text, root: "/" }, { tool_name, tool_input }, { folder: "/work", home: "/home/me" });
    const line = { command: "echo a && FOO=1 touch b" };
    expect(
      ["Bash(touch *)", "Bash(touch:*)", "Bash(echo *)", "Bash"].map((one) =>
        fit(one, "Bash", line),
      ),
    ).toEqual([true, true, true, true]);
    expect(["Bash(rm *)", "Write", "rubbish("].map((one) => fit(one, "Bash", line))).toEqual([
      false,
      false,
      false,
    ]);
    expect(fit("Bash(rm *)", "Bash", { command: "echo $HIDDEN" })).toBe(true);
    expect(fit("Write(*.txt)", "Write", { file_path: "f.txt" })).toBe(true);
    expect(fit("Edit(*.txt)", "Write", { file_path: "f.txt" })).toBe(false);
    expect(fits({ text: "Bash", root: "/" }, {}, { folder: "/", home: "/" })).toBe(false);
  });
});

describe("hooks of a call", () => {
  const touch = { command: "touch a", description: "d" };

  test("the same command for several tools runs for each of them", async () => {
    const seen = "echo seen >> seen";
    const stage = hooked({ PreToolUse: [command(seen, {}, "Bash"), command(seen, {}, "Write")] });
    await stage.call("Bash", touch);
    expect(stage.made("seen")).toBe(true);
  });

  test("a tool of a missing server is not a guard", async () => {
    const hook = { type: "mcp_tool", server: "nobody", tool: "check", onFailure: "block" };
    const stage = hooked({ PreToolUse: [{ hooks: [hook, { type: "mcp_tool", server: "half" }] }] });
    await stage.call("Bash", touch);
    expect(stage.reported.join("\n")).toContain('A hook of the type "mcp_tool" has no tool');
    expect(stage.heard("informational").map((one) => one["tag"])).toEqual([
      "hook_no_verdict",
      "hook_no_verdict",
    ]);
    expect(stage.made("a")).toBe(true);
  });

  test("a guard of an unknown kind, or without its command, is reported", async () => {
    const stage = hooked({ PreToolUse: [{ hooks: [{ type: "wat" }, { type: "command" }] }] });
    await stage.call("Bash", touch);
    expect(stage.reported.join("\n")).toContain('Hooks of the type "wat" are not run here');
    expect(stage.reported.join("\n")).toContain('A hook of the type "command" has no command');
    expect(stage.heard("informational").map((one) => one["tag"])).toEqual([
      "hook_no_verdict",
      "hook_no_verdict",
    ]);
    expect(stage.made("a")).toBe(true);
  });

  test("a late hook is reported; one that must not fail blocks", async () => {
    const late = hooked({ PreToolUse: [command("sleep 60", { timeout: 0.05 })] });
    await late.call("Bash", touch);
    expect(late.heard("informational")[0]?.["hook_no_verdict"]).toMatchObject({ timed_out: true });
    const firm = hooked({ PreToolUse: [command("exit 7", { onFailure: "block" })] });
    const { text } = await firm.call("Bash", touch);
    expect(text).toContain('failed; blocking because onFailure is "block"');
    expect(firm.made("a")).toBe(false);
  });

  test("an HTTP hook is called, and its answer counts like a command's", async () => {
    const heard: { headers: unknown; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        heard.push({ headers: request.headers["x-key"], body });
        if (request.url === "/broken") response.statusCode = 500;
        response.end(JSON.stringify({ decision: "block", reason: "Not on my watch" }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const http = (url: string) => ({
      PreToolUse: [{ hooks: [{ type: "http", url, headers: { "X-Key": "a$HOME" } }] }],
    });
    try {
      const stage = hooked(http(`${base}/deny`));
      const { text } = await stage.call("Bash", touch);
      expect(text).toBe("PreToolUse:Bash hook error: Not on my watch");
      expect(heard[0]?.headers).toBe("a"); // A variable that the hook does not name is not sent.
      expect(JSON.parse(heard[0]?.body ?? "")).toMatchObject({ tool_input: touch });
      const broken = hooked(http(`${base}/broken`));
      await broken.call("Bash", touch);
      expect(broken.heard("informational")).toHaveLength(1);
      const shut = hooked(http(`${base}/deny`), {
        allowedHttpHookUrls: ["https://hooks.example/*"],
      });
      await shut.call("Bash", touch);
      expect([heard.length, shut.heard("informational").length]).toEqual([2, 1]);
    } finally {
      server.close();
    }
  });

  test("continue: false lets the call run and ends the turn", async () => {
    const stage = hooked({ PreToolUse: [command(say({ continue: false, stopReason: "halt" }))] });
    const { called, isError } = await stage.call("Bash", touch);
    expect([called.stopped, isError]).toEqual(["hook", false]);
    expect(stage.made("a")).toBe(true);
  });

  test("an output is replaced for host and model if it fits the tool", async () => {
    const output = (updatedToolOutput: unknown) => ({
      PostToolUse: [
        command(say({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput } })),
      ],
    });
    const hidden = { stdout: "hidden", stderr: "", interrupted: false, isImage: false };
    const stage = hooked(output(hidden));
    const { text, structured } = await stage.call("Bash", { command: "echo secret" });
    expect([text, structured]).toEqual(["hidden", hidden]);
    const odd = hooked(output("text"));
    expect((await odd.call("Bash", { command: "echo secret" })).text).toBe("secret");
  });

  test("messages of hooks for the person, and what blocked a failure, are passed on", async () => {
    const stage = hooked({
      PreToolUse: [command(say({ systemMessage: "Mind the gap" }))],
      PostToolUseFailure: [command("echo why >&2; exit 2")],
    });
    const { modelNotes, messagesBefore } = (await stage.call("Bash", { command: "exit 4" })).called;
    expect(messagesBefore?.[0]?.["content"]).toBe("PreToolUse:Bash says: Mind the gap");
    expect(modelNotes[0]).toStartWith("PostToolUseFailure:Bash hook blocking error from command");
  });

  test("a task that a hook refuses is not created, or not completed", async () => {
    const object = command("cat > told; echo no >&2; exit 2");
    const task = { subject: "s", description: "d" };
    const unwanted = hooked({ TaskCreated: [object] });
    const { text, isError } = await unwanted.call("TaskCreate", task);
    expect([isError, text.startsWith("TaskCreated hook feedback:\n[")]).toEqual([true, true]);
    expect((await unwanted.call("TaskList", {})).text).toBe("No tasks found");
    const undone = hooked({ TaskCompleted: [object] });
    await undone.call("TaskCreate", task);
    const update = { taskId: "1", subject: "other", status: "completed" };
    const { structured } = await undone.call("TaskUpdate", update);
    expect(structured).toMatchObject({ success: false, updatedFields: [] });
    expect((await undone.call("TaskList", {})).text).toBe("#1 [pending] s");
    const told = JSON.parse(readFileSync(join(undone.folder, "told"), "utf8")) as object;
    expect(told).toMatchObject({ task_id: "1", task_subject: "s", task_description: "d" });
    expect(Object.keys(told)).not.toContain("permission_mode");
  });

  test("hooks for a failure of the model are told its kind", async () => {
    const stage = hooked({
      StopFailure: [
        command("cat > told; exit 2", {}, "rate_limit"),
        command("touch other", {}, "unknown"),
      ],
    });
    await failureHooks(stage.thread, "rate_limit", "Too much");
    const told = JSON.parse(readFileSync(join(stage.folder, "told"), "utf8")) as object;
    expect(told).toMatchObject({ error: "rate_limit", last_assistant_message: "Too much" });
    expect(Object.keys(told)).not.toContain("permission_mode");
    expect(stage.made("other")).toBe(false);
  });

  test("while a hook runs, hosts receive progress from time to time", async () => {
    const said: { [field: string]: unknown }[] = [];
    let enough = () => {};
    const beats = new Promise<void>((resolve) => (enough = resolve));
    const say = (beat: { type: string }) => {
      if (said.push(beat) === 2) enough();
    };
    const about = { name: "PreToolUse", id: "hook-PreToolUse-t1", toolUseId: "t1", say };
    await withHeartbeat(() => beats, about, 5);
    expect(said[1]).toEqual({
      type: "tool_progress",
      tool_use_id: "hook-PreToolUse-t1-heartbeat-1",
      tool_name: "PreToolUse",
      parent_tool_use_id: "t1",
      elapsed_time_seconds: expect.any(Number),
      heartbeat: true,
    });
  });

  test("hooks know the session, and variables set at its start reach every command", async () => {
    const stage = hooked({
      SessionStart: [command(`echo "export FOO=bar" >> "$CLAUDE_ENV_FILE"`)],
      PreToolUse: [
        command(`echo "$CLAUDECODE $CLAUDE_CODE_SESSION_ID $CLAUDE_PID $CLAUDE_EFFORT" > known`),
      ],
    });
    await stage.session.hooks.run("SessionStart", { source: "startup" }, { subject: "startup" });
    expect((await stage.call("Bash", { command: "echo $FOO" })).text).toBe("bar");
    const known = readFileSync(join(stage.folder, "known"), "utf8");
    expect(known).toBe(`1 ${stage.session.context.sessionId} ${process.pid} medium\n`);
  });
});
