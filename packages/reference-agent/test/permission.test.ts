import { readConfiguredServers } from "../src/mcp/config.ts";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@signalbox/protocol";
import type { PermissionMode } from "@signalbox/agent";
import { judgeCommand } from "../src/permission/bash.ts";
import { decide } from "../src/permission/decide.ts";
import { judgeWrite } from "../src/permission/files.ts";
import { openToolStage } from "./tool-stage.ts";
import { stateIn } from "./permission-place.ts";

describe("modes", () => {
  const ask = { behavior: "ask" as const, suggestions: [] };

  test("[RA19] bypass skips questions but no rule that denies or asks; dontAsk denies what would require a question", () => {
    using bypass = stateIn("bypassPermissions");
    expect(decide(bypass.state, "Write", () => ask).behavior).toBe("allow");
    bypass.state.addRules("deny", ["Write"], "session", bypass.folder);
    bypass.state.addRules("ask", ["Bash"], "session", bypass.folder);
    expect(decide(bypass.state, "Write", () => ask).behavior).toBe("deny");
    expect(decide(bypass.state, "Bash", () => ({ behavior: "allow" })).behavior).toBe("ask");
    using quiet = stateIn("dontAsk");
    expect(decide(quiet.state, "Write", () => ask).behavior).toBe("deny");
    expect(decide(quiet.state, "Read", () => ({ behavior: "allow" })).behavior).toBe("allow");
  });

  test("[RA19] a kind of subagent may have its own mode, unless the session's allows more or is plan mode", () => {
    const write = (session: PermissionMode, own: PermissionMode) => {
      using place = stateIn(session);
      const { state, folder } = place;
      const judge = () => judgeWrite(state, "Write", join(folder, "a.txt"), () => false);
      const { behavior } = state.withMode(own, () => decide(state, "Write", judge));
      expect(state.mode).toBe(session);
      return behavior;
    };
    expect(write("default", "acceptEdits")).toBe("allow");
    expect(write("dontAsk", "acceptEdits")).toBe("allow");
    expect(write("default", "dontAsk")).toBe("deny");
    expect(write("default", "plan")).toBe("ask");
    expect(write("acceptEdits", "plan")).toBe("allow");
    expect(write("bypassPermissions", "dontAsk")).toBe("allow");
    expect(write("plan", "acceptEdits")).toBe("ask");
  });

  test("[RA19] rules that ask and dangerous removals are never skipped; sensitive files are", () => {
    using place = stateIn("bypassPermissions");
    const { state, folder } = place;
    const run = (line: string) =>
      decide(state, "Bash", () => judgeCommand(state, line, folder)).behavior;
    const write = (path: string) =>
      decide(state, "Write", () => judgeWrite(state, "Write", join(folder, path), () => false))
        .behavior;
    expect([write(".git/hooks/x"), write("etc/x"), run("sleep 0 &")]).toEqual(
      Array.from({ length: 3 }, () => "allow"),
    );
    for (const line of [
      "rm -rf /",
      "rm -rf /nowhere",
      "timeout 5 rm -rf /nowhere/*",
      "sh -c 'rm -r /nowhere'",
      "X=/nowhere; rm -rf $X",
      "rm -rf ~",
      "rm -rf $HOME/*",
      "rm -rf .",
      "rm -rf ..",
      "rm *",
      "rm -rf sub/..",
      "cd sub && rm -rf *",
      "rm -rf $(echo x)",
      'rm -rf "$NOTHING/"',
      "rmdir $NOTHING/$NEITHER",
      `rm -rf ${folder}`,
    ]) {
      expect([line, run(line)]).toEqual([line, "ask"]);
    }
    for (const line of [
      "rm -rf sub",
      "rm -rf ~/sub",
      "rm -rf /nowhere/below",
      "rm -rf *.txt",
      'rm -rf "${NOTHING:?}/"',
      "rm -rf $NOTHING",
      "echo rm -rf /",
    ]) {
      expect([line, run(line)]).toEqual([line, "allow"]);
    }
  });

  test("[RA20] an answer may add rules, folders and a mode; rules for settings are written there", async () => {
    const update = {
      type: "addRules",
      rules: [{ toolName: "Bash", ruleContent: "npm *" }],
      behavior: "allow",
      destination: "localSettings",
    };
    using stage = openToolStage({
      answer: ({ input }) => ({
        behavior: "allow",
        updatedInput: input,
        updatedPermissions: [
          update,
          { type: "setMode", mode: "acceptEdits", destination: "session" },
        ],
      }),
    });
    await stage.call("Bash", { command: "npm --version" });
    await stage.call("Bash", { command: "npm --help" });
    await stage.call("Write", { file_path: "a.txt", content: "" });
    expect(stage.asked.length).toBe(1);
    const kept = await Bun.file(stage.at(".claude/settings.local.json")).json();
    expect(kept).toEqual({ permissions: { allow: ["Bash(npm *)"] } });
  });

  test("[RA21] without anybody to ask, the answer is no", async () => {
    using stage = openToolStage();
    const denied = await stage.call("Bash", { command: "touch a" });
    expect(denied.isError).toBe(true);
    expect(stage.said.at(-1)).toMatchObject({ subtype: "permission_denied", tool_name: "Bash" });
  });

  test("[RA21] and it contains what would have been asked", async () => {
    using stage = openToolStage();
    const { folder } = stage;
    const only = `the allowed working directories for this session: '${folder}'.`;
    const outside = `The path is outside the working directories for this session ('${folder}'). Allowing runs the command as written.`;
    const sentences = {
      "cat /etc/passwd": `cat in '/etc/passwd' was blocked. For security, Claude Code may only concatenate files from ${only}`,
      "wc < /etc/passwd": `Input redirection from '/etc/passwd' was blocked. For security, Claude Code may only read files in ${only}`,
      "git diff --no-index a /etc/passwd": `git in '/etc/passwd' was blocked. For security, Claude Code may only access files with git from ${only}`,
      "mv a.txt /nowhere/b": `mv in '/nowhere/b' needs approval. ${outside}`,
      "echo a > /nowhere/b": `Output redirection to '/nowhere/b' needs approval. ${outside}`,
      "npm i && make && ls":
        "This Bash command contains multiple operations. The following parts require approval: npm i, make",
      "chmod 600 a.txt": "This command requires approval",
    };
    for (const [command, sentence] of Object.entries(sentences)) {
      expect((await stage.call("Bash", { command })).text).toBe(sentence);
    }
    const write = await stage.call("Write", { file_path: "a.txt", content: "" });
    const read = await stage.call("Read", { file_path: "/etc/passwd" });
    const asked = "Claude requested permissions to";
    expect(write.text).toBe(`${asked} write to ${folder}/a.txt, but you haven't granted it yet.`);
    expect(read.text).toBe(`${asked} read from /etc/passwd, but you haven't granted it yet.`);
  });

  test("[RA21] hooks in place of a host are offered folders and modes, and no rule for the line", async () => {
    const hook = { hooks: [{ type: "command", command: "cat > ../told.json" }] };
    const settings = JSON.stringify({ hooks: { PermissionRequest: [hook] } });
    using stage = openToolStage({ args: ["--settings", settings] });
    const offered = async (command: string) => {
      await stage.call("Bash", { command });
      const told = JSON.parse(readFileSync(join(stage.place, "told.json"), "utf8")) as JsonObject;
      return told["permission_suggestions"];
    };
    const folder = {
      type: "addDirectories",
      directories: [stage.folder],
      destination: "session",
    };
    const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
    expect(await offered("touch a")).toEqual([folder, mode]);
    expect(await offered("echo a > b")).toEqual([folder]);
    expect(await offered("cd /etc")).toMatchObject([{ rules: [{ ruleContent: "//etc/**" }] }]);
  });

  test("[RA22] MCP servers of a repository start on a terminal only after the person approves them", () => {
    const servers = JSON.stringify({ mcpServers: { theirs: { command: "true" } } });
    const started = (settings: Record<string, object>, print = false): string[] => {
      const files = Object.entries(settings).map(([name, content]) => {
        return [`.claude/${name}`, JSON.stringify(content)] as const;
      });
      using stage = openToolStage({
        files: { ".mcp.json": servers, ...Object.fromEntries(files) },
      });
      const { context, settings: read } = stage.session;
      const options = { ...context.options, print };
      return readConfiguredServers({ ...context, options }, read).map(({ name }) => name);
    };
    const repository = { "settings.json": { enableAllProjectMcpServers: true } };
    const person = { "settings.local.json": { enabledMcpjsonServers: ["theirs"] } };
    const off = { "settings.json": { disabledMcpjsonServers: ["theirs"] } };
    expect(started(repository)).toEqual([]);
    expect(started(person)).toEqual(["theirs"]);
    expect(started({ ...person, ...off })).toEqual([]);
    expect(started({}, true)).toEqual(["theirs"]);
    expect(started(off, true)).toEqual([]);
  });
});

describe("plan mode", () => {
  test("[RA19] applies even if writing and all of Bash are allowed; a rule for one command counts", () => {
    using place = stateIn("plan");
    const { state, folder } = place;
    state.addRules("allow", ["Bash", "Write", "Edit", "Bash(touch:*)"], "session", "/");
    const run = (line: string) => decide(state, "Bash", () => judgeCommand(state, line, folder));
    const write = (path: string) =>
      decide(state, "Write", () => judgeWrite(state, "Write", path, () => false));
    expect(run("mkdir made").behavior).toBe("ask");
    expect(run("touch made").behavior).toBe("allow");
    for (const path of [join(folder, "a.txt"), "/tmp/a.txt"]) {
      const unasked = `Cannot write to ${path} while in plan mode.`;
      expect(write(path)).toMatchObject({ behavior: "ask", unasked, firm: true });
    }
    state.setMode("default");
    expect(run("mkdir made").behavior).toBe("allow");
    expect(write(join(folder, "a.txt")).behavior).toBe("allow");
  });
});
