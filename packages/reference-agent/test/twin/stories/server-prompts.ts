import { readFileSync } from "node:fs";
import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";
import { say } from "../script.ts";
import type { Stage, Story } from "../story.ts";

const files = {
  "desk.mjs": readFileSync(new URL("../prompt-server.mjs", import.meta.url), "utf8"),
};
const desk = { command: "node", args: ["desk.mjs"] };

/** Notes the model's last request, without the marks for the cache. */
function noteAsked(stage: Stage): void {
  const { messages } = stage.requests.at(-1) as { messages: { content: unknown }[] };
  const told = JSON.stringify(messages.at(-1)?.content).replaceAll('\\n"', '"');
  stage.note("asked", JSON.parse(told.replaceAll(',"cache_control":{"type":"ephemeral"}', "")));
}

/** Prompts of MCP servers, which people call as commands. */
export const serverPrompts: Story[] = [
  {
    name: "prompts of an MCP server as commands",
    files,
    async play(stage) {
      const note: HookCallback = async (input) => {
        if (input.hook_event_name !== "UserPromptExpansion") return {};
        const { expansion_type, command_name, command_args, command_source, prompt } = input;
        stage.note("expansion", [
          expansion_type,
          command_name,
          command_args,
          command_source,
          prompt,
        ]);
        return command_args === "nobody" ? { decision: "block", reason: "Not them" } : {};
      };
      const talk = stage.open({
        mcpServers: { "my desk.": desk },
        hooks: { UserPromptExpansion: [{ hooks: [note] }] },
      });
      await talk.turn(say("Hello."));
      const call = (words: string) => talk.turn(`/mcp__my_desk___${words}`);
      for (const words of ["greet Ada  warmly now", "several", "shown", "empty"]) {
        await call(words);
        noteAsked(stage);
      }
      for (const words of ["greet", "fail", "greet nobody", "none", "two words"]) await call(words);
    },
  },
  {
    name: "prompts of MCP servers that come and go",
    files,
    async play(stage) {
      const talk = stage.open({
        mcpServers: { desk },
        extraArgs: { "disable-slash-commands": null },
      });
      await talk.turn(say("Hello."));
      await talk.turn("/desk:greet (MCP) Ada");
      await talk.lifecycle("completed", 2);
      await talk.query.toggleMcpServer("desk", false);
      await talk.turn("/mcp__desk__several");
      await talk.lifecycle("completed", 3);
      await talk.query.toggleMcpServer("desk", true);
      await talk.query.reconnectMcpServer("desk");
      await talk.query.setMcpServers({ other: desk });
      await talk.turn("/mcp__other__greet Ada");
      await talk.lifecycle("completed", 4);
      await talk.query.setMcpServers({});
      await talk.turn(say("Good bye."));
      const told = talk.messages.flatMap((message) =>
        message.type === "system" && message.subtype === "commands_changed"
          ? [message.commands]
          : [],
      );
      const ofServers = (list: (typeof told)[number]) =>
        list.filter(({ name }) => name.endsWith("(MCP)"));
      stage.note("told", told.map(ofServers));
      stage.note("supported", ofServers(await talk.query.supportedCommands()));
      const inits = talk.messages.flatMap((message) =>
        message.type === "system" && message.subtype === "init" ? [message.slash_commands] : [],
      );
      stage.note(
        "init",
        inits.map((list) => list.filter((name) => name.startsWith("mcp__"))),
      );
    },
  },
];
