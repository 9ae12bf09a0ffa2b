import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Conversation, type Stage, type Story } from "../story.ts";

const hello = prompt("Hello", say("Good day."));

async function inTurn(talk: Conversation, prompts: readonly string[]): Promise<void> {
  for (const one of prompts) await talk.turn(one);
}

/** Notes which messages belong to the session of the first one. */
function noteSessions(stage: Stage, talk: Conversation): void {
  const ids = talk.messages.flatMap((one) => ("session_id" in one ? [one.session_id] : []));
  const known = [...new Set(ids)];
  stage.note(
    "sessions",
    talk.messages.map((one) => [one.type, "session_id" in one && known.indexOf(one.session_id)]),
  );
}

const logged = { hooks: [{ type: "command", command: "cat >> hooks.log; echo >> hooks.log" }] };

/** Commands that need no model. */
export const commands: Story[] = [
  {
    name: "echoes of commands that are done without the model",
    async play(stage) {
      const talk = stage.open({ extraArgs: { "replay-user-messages": null } });
      const lines = ["/model sonnet", "/rename A title", "/help", "/compact", "/clear"];
      await inTurn(talk, [hello, ...lines, prompt("And now?", say("Now this."))]);
    },
  },
  {
    name: "echoes of commands that the model is told",
    files: {
      ".claude/commands/greet.md": `Greet $ARGUMENTS\n\n${say("Hello.")}\n`,
      ".claude/skills/leave/SKILL.md": `---\nname: leave\ndescription: Leaves\n---\nLeave $ARGUMENTS\n${say("Bye.")}\n`,
    },
    async play(stage) {
      const talk = stage.open({ extraArgs: { "replay-user-messages": null } });
      await inTurn(talk, ["/greet the world", "/greet", "/leave it", "/nobody-knows-it x"]);
      talk.say({ message: { role: "user", content: [{ type: "text", text: "/greet all" }] } });
      await talk.result();
    },
  },
  {
    name: "commands that need a screen, and those of no one",
    async play(stage) {
      await inTurn(stage.open(), ["/help", "/status me", "/exit", "/nobody-knows-it"]);
    },
  },
  {
    name: "the model by a command",
    async play(stage) {
      await inTurn(stage.open(), [
        "/model",
        "/model sonnet",
        hello,
        "/model",
        "/model nobody-knows-it",
        "/model default",
        "/model help",
        "/effort low",
        "/effort auto",
        hello,
      ]);
    },
  },
  {
    name: "servers, agents and a title by commands",
    async play(stage) {
      await inTurn(stage.open(), ["/mcp", "/mcp enable", "/mcp tickle", "/agents"]);
      const mcpServers = { gone: { command: "/bin/false", args: [] } };
      await inTurn(stage.open({ mcpServers }), [
        "/mcp",
        "/mcp reconnect gone",
        "/mcp disable nobody",
        "/rename The first one",
      ]);
    },
  },
  {
    name: "the cost by a command",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      await inTurn(talk, ["/cost", "/stats now"]);
      const file = `${stage.folder}/new.txt`;
      await talk.turn(
        prompt(
          "Write",
          tool("Write", { file_path: file, content: "one\ntwo\n" }),
          next,
          say("Written."),
        ),
      );
      await talk.turn("/usage");
      await talk.end();
      const later = stage.open({ continue: true, canUseTool: allow, maxBudgetUsd: 100 });
      await inTurn(later, ["/cost", hello, "/cost"]);
    },
  },
  {
    name: "a conversation is cleared",
    files: {
      "sub/file.txt": "one\n",
      ".claude/settings.json": JSON.stringify({
        hooks: { SessionStart: [logged], SessionEnd: [logged] },
      }),
    },
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      await talk.turn(prompt("Go", bash("cd sub && pwd", "Go there"), say("There.")));
      await inTurn(talk, ["/clear", "/compact", "/cost"]);
      await talk.turn(prompt("Where", bash("pwd", "Where"), say("Here.")));
      await inTurn(talk, ["/rename The second one", "/clear the old one", hello]);
      noteSessions(stage, talk);
    },
  },
];
