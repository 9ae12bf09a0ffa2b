import {
  type CanUseTool,
  createSdkMcpServer,
  type PermissionUpdate,
  tool as sdkTool,
} from "@anthropic-ai/claude-agent-sdk";
import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";
import { shellLines } from "./shell-lines.ts";

/** Rules that allow, deny, and require a question. */
export const rules: Story[] = [
  {
    name: "loops, waiting and other lines of a shell",
    files: { "a.txt": "a\n" },
    async play(stage) {
      const talk = stage.open({
        canUseTool: () => Promise.resolve({ behavior: "deny", message: "Not here, please." }),
      });
      const calls = shellLines.flatMap((line) => [bash(line, "Try"), next]);
      await talk.turn(prompt("Try", ...calls, say("So it went.")));
    },
  },
  {
    name: "patterns of rules: ranges that are none, braces, capital letters",
    files: {
      "a.txt": "one",
      "zx.txt": "two",
      ".claude/settings.json": JSON.stringify({
        permissions: { deny: ["Read([z-a]x.txt)", "Read([)"] },
      }),
    },
    async play(stage) {
      const names = ["a.txt", "zx.txt"];
      const reads = names.map((name) => tool("Read", { file_path: `${stage.folder}/${name}` }));
      const writes = ["a.md", "{a,b}.md", "c.txt"].map((name) =>
        tool("Write", { file_path: `${stage.folder}/${name}`, content: "new" }),
      );
      const lines = [...reads, ...writes].flatMap((line) => [line, next]);
      const allowedTools = ["Edit({a,b}.md)", "Edit(C.TXT)"];
      await stage
        .open({ canUseTool: allow, allowedTools })
        .turn(prompt("Look", ...lines, say("So it went.")));
    },
  },
  {
    name: "rules of paths: at the top, at any depth, with exceptions",
    files: {
      "a.txt": "one",
      "x/a.txt": "two",
      "x/b.txt": "three",
      "q/x/b.txt": "four",
      ".claude/settings.json": JSON.stringify({
        permissions: { deny: ["Read(/b.txt)", "Read(b.txt)", "Read(!x/b.txt)"] },
      }),
    },
    async play(stage) {
      const names = ["a.txt", "x/a.txt", "x/b.txt", "q/x/b.txt"];
      const read = (name: string) => tool("Read", { file_path: `${stage.folder}/${name}` });
      const write = (name: string) =>
        tool("Write", { file_path: `${stage.folder}/${name}`, content: "new" });
      const deny: CanUseTool = () => Promise.resolve({ behavior: "deny", message: "Not now." });
      const lines = [...names.map(read), ...["d.md", "x/d.md", "e.md", "x/e.md"].map(write)];
      const allowedTools = ["Edit(/d.md)", "Edit(e.md)", "Edit(!/e.md)"];
      await stage
        .open({ canUseTool: deny, allowedTools })
        .turn(prompt("Look", ...lines.flatMap((line) => [line, next]), say("So it went.")));
    },
  },
  {
    name: "whose rule it was, and what an answer keeps in settings",
    files: {
      "a.txt": "one",
      "b.txt": "two",
      "home/.claude/settings.json": JSON.stringify({
        permissions: { allow: ["Edit(a.txt)", "TodoWrite"], deny: ["Read(b.txt)"] },
      }),
    },
    async play(stage) {
      const file = (name: string) => ({ file_path: `${stage.folder}/${name}` });
      const rule = { type: "addRules", behavior: "allow", rules: [{ toolName: "WebSearch" }] };
      const kept = [
        { ...rule, destination: "localSettings" },
        { type: "addDirectories", directories: ["/nowhere"], destination: "localSettings" },
        { type: "setMode", mode: "acceptEdits", destination: "localSettings" },
      ];
      const canUseTool: CanUseTool = async (_tool, updatedInput) => ({
        behavior: "allow",
        updatedInput,
        updatedPermissions: kept as PermissionUpdate[],
        decisionClassification: "user_permanent",
      });
      const calls = [
        tool("Read", file("a.txt")),
        tool("Read", file("b.txt")),
        tool("Write", { ...file("a.txt"), content: "new" }),
        bash("touch c.txt", "Touch"),
        tool("Write", { ...file("d.txt"), content: "new" }),
      ];
      await stage
        .open({ canUseTool })
        .turn(prompt("Do it", ...calls.flatMap((call) => [call, next]), say("So it went.")));
    },
  },
  {
    name: "rules of domains, and of commands behind others",
    files: {
      ".claude/settings.json": JSON.stringify({
        permissions: {
          deny: ["WebFetch(domain:bad.com)", "WebFetch(domain:*.worse.com)"],
          ask: ["WebFetch(domain:w*rst.com)"],
        },
      }),
    },
    async play(stage) {
      const deny: CanUseTool = () => Promise.resolve({ behavior: "deny", message: "Not now." });
      const hosts = "bad.com BAD.com. sub.bad.com worse.com a.b.worse.com worst.com w.rst.com";
      const fetches = hosts
        .split(" ")
        .map((host) => tool("WebFetch", { url: `https://${host}/`, prompt: "What is it?" }));
      const lines = ["timeout 5 mkdir a", "nohup mkdir b", "sudo mkdir c"];
      const calls = [...fetches, ...lines.map((line) => bash(line, "Try"))];
      await stage
        .open({ canUseTool: deny, allowedTools: ["Bash(mkdir:*)"], permissionMode: "acceptEdits" })
        .turn(prompt("Try", ...calls.flatMap((call) => [call, next]), say("So it went.")));
    },
  },
  {
    name: "variables behind a rule, and tools of servers by patterns",
    async play(stage) {
      const deny: CanUseTool = () => Promise.resolve({ behavior: "deny", message: "Not now." });
      const done = () => Promise.resolve({ content: [{ type: "text" as const, text: "Done." }] });
      const tools = ["look", "load", "mend"].map((name) => sdkTool(name, name, {}, done));
      const here = createSdkMcpServer({ name: "here", version: "1.0.0", tools });
      const lines = ["mkdir $X", 'mkdir "$X"', "mkdir -p $1", "mkdir $(pwd)/a", "mkdir b"];
      lines.push('mkdir $"c"', "mkdir $[1+1]", "mkdir d$", 'mkdir "e$"', "ls $HOME");
      const calls = [
        ...lines.map((line) => bash(line, "Make")),
        ...["look", "load", "mend"].map((name) => tool(`mcp__here__${name}`, {})),
      ];
      const allowedTools = [
        "Bash(mkdir:*)",
        "Bash(ls $HOME)",
        "mcp__here__lo*",
        "mcp__*__mend",
        "mcp__*",
        "*",
      ];
      await stage
        .open({ canUseTool: deny, allowedTools, mcpServers: { here } })
        .turn(prompt("Try", ...calls.flatMap((call) => [call, next]), say("So it went.")));
    },
  },
];
