import { statSync } from "node:fs";
import { join } from "node:path";
import { filesUnder } from "../files.ts";
import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Stage, type Story } from "../story.ts";

const hello = prompt("Hello", say("Good day."));
const authStatus = { extraArgs: { "enable-auth-status": null } };
const settingsWith = (settings: object) => ({
  files: { "home/.claude/settings.json": JSON.stringify(settings) },
});

/** Notes the outcome of a request: its answer, or the refusal. */
const notedIn = (stage: Stage) => async (what: string, asked: Promise<unknown>) =>
  stage.note(what, await asked.catch((failure: unknown) => String(failure)));

/** The SDK has this method and does not declare it. */
interface Titling {
  generateSessionTitle(description: string, options?: { persist?: boolean }): Promise<unknown>;
}

/** Requests of a host beside prompts, and what an agent reports about signing in. */
export const controls: Story[] = [
  {
    name: "signing in, as it stands",
    async play(stage) {
      await stage.open(authStatus).turn(hello);
    },
  },
  {
    name: "a helper that takes its time, and prints no key",
    // Whether a fast command fails before or after a turn begins is random.
    ...settingsWith({
      apiKeyHelper: "until [ -e asked ]; do sleep 0.1; done; sleep 1; echo no key >&2; exit 3",
      hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: "touch asked" }] }] },
    }),
    async play(stage) {
      await stage.open({ ...authStatus, env: { ANTHROPIC_API_KEY: undefined } }).turn(hello);
    },
  },
  {
    name: "a helper that prints a key",
    ...settingsWith({ apiKeyHelper: "echo asked >> asked.txt; echo a-key" }),
    async play(stage) {
      const talk = stage.open({ ...authStatus, env: { ANTHROPIC_API_KEY: undefined } });
      await talk.turn(hello);
      await talk.turn(hello);
    },
  },
  {
    name: "nobody has signed in",
    async play(stage) {
      const talk = stage.open({ env: { ANTHROPIC_API_KEY: undefined } });
      await talk.turn(hello);
    },
  },
  {
    name: "a prompt that its sender did not name",
    async play(stage) {
      const talk = stage.open({ includePartialMessages: true });
      talk.say({ message: { role: "user", content: hello }, uuid: undefined as never });
      await talk.result();
    },
  },
  {
    name: "settings set in mid-session",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      const touch = (name: string) =>
        prompt("Make it", bash(`touch ${name}; env | grep COLOUR`, "Make a file"), say("Made."));
      await talk.turn(hello);
      const noted = notedIn(stage);
      const apply = (settings: object) => noted("applied", talk.query.applyFlagSettings(settings));
      await apply({ env: { COLOUR: "blue" }, permissions: { allow: ["Bash(touch:*)"] } });
      await talk.turn(touch("one.txt"));
      await apply({ env: 7 });
      await apply({ permissions: null, effortLevel: "low", model: "sonnet" });
      await talk.turn(touch("two.txt"));
    },
  },
  {
    name: "requests in mid-session, one after the other",
    async play(stage) {
      const talk = stage.open();
      await talk.turn(hello);
      await talk.idle(1);
      const { query } = talk;
      const noted = notedIn(stage);
      await noted("model", query.setModel("sonnet"));
      await noted("the same model", query.setModel("sonnet"));
      await noted("no model", query.setModel());
      await noted("a blank model", query.setModel(" "));
      await noted("thinking", query.setMaxThinkingTokens(4000));
      await noted("no task", query.stopTask("nothing"));
      await noted("no server", query.reconnectMcpServer("nobody"));
      await noted("no server either", query.toggleMcpServer("nobody", false));
      await noted("plan", query.setPermissionMode("plan"));
      await noted("still plan", query.setPermissionMode("plan"));
      await noted("no bypass", query.setPermissionMode("bypassPermissions"));
      await query.setModel("nobody-knows-it");
      await talk.turn(hello);
    },
  },
  {
    name: "a title is found for a session",
    async play(stage) {
      const talk = stage.open();
      const query = talk.query as unknown as Titling;
      const titled = (said: string, options?: { persist?: boolean }) =>
        notedIn(stage)(said, query.generateSessionTitle(prompt("Mend it", say(said)), options));
      await talk.turn(hello);
      await titled('{"title": " A door "}', { persist: true });
      for (const said of ["A door", '{"title": " "}', '{"title": 5}']) await titled(said);
      await notedIn(stage)("blank", query.generateSessionTitle(" "));
      await notedIn(stage)("a number", query.generateSessionTitle(5 as never));
      await titled('{"title": "Kept?"}', { persist: 1 as never });
      await talk.end();
      const home = join(stage.folder, "../home/.claude/projects");
      const transcripts = filesUnder(home);
      const lines = Object.values(transcripts).flatMap((text) => text.split("\n"));
      const titles = lines.filter((line) => line.includes('"ai-title"'));
      stage.note(
        "kept",
        titles.map((line) => (JSON.parse(line) as { aiTitle: string }).aiTitle),
      );
    },
  },
  {
    name: "a file that the host has seen, and definitions read again",
    files: { "seen.txt": "before\n", "other.txt": "before\n" },
    async play(stage) {
      const talk = stage.open({ permissionMode: "acceptEdits" });
      await talk.turn(hello);
      const write = (name: string) =>
        tool("Write", { file_path: `${stage.folder}/${name}`, content: "after\n" });
      const { mtimeMs } = statSync(`${stage.folder}/seen.txt`);
      const noted = notedIn(stage);
      const { query } = talk;
      await noted("seed", query.seedReadState(`${stage.folder}/seen.txt`, Math.floor(mtimeMs)));
      await talk.turn(
        prompt("Write", write("seen.txt"), next, write("other.txt"), next, say("So.")),
      );
      await noted("nowhere", query.seedReadState(`${stage.folder}/nowhere.txt`, 1));
      const read = await query.reloadPlugins();
      stage.note("plugins", [Object.keys(read).toSorted(), read.error_count]);
    },
  },
  {
    name: "servers of the command line and of the project, switched off and on",
    files: {
      ".mcp.json": JSON.stringify({ mcpServers: { there: { command: "/bin/false" } } }),
      "home/.claude/settings.json": JSON.stringify({ enableAllProjectMcpServers: true }),
    },
    async play(stage) {
      const talk = stage.open({ mcpServers: { gone: { command: "/bin/false", args: ["x"] } } });
      await talk.turn(hello);
      const { query } = talk;
      const noted = notedIn(stage);
      await noted("status", query.mcpServerStatus());
      await noted("reconnect", query.reconnectMcpServer("gone"));
      await noted("off", query.toggleMcpServer("gone", false));
      await noted("reconnect what is off", query.reconnectMcpServer("gone"));
      await noted("status", query.mcpServerStatus());
      await noted("set", query.setMcpServers({ more: { command: "/bin/false", args: [] } }));
      await noted("status", query.mcpServerStatus());
    },
  },
];
