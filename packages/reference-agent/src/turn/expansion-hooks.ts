import type { JsonObject } from "@signalbox/protocol/wire";
import type { Turn } from "@signalbox/agent";
import { builtInPrompts } from "../commands/built-in.ts";
import type { HookRun } from "../hooks/hooks.ts";
import type { HookOutcome } from "../hooks/outcome.ts";
import type { Session } from "../session.ts";
import { findCalledPrompt } from "../mcp/prompts.ts";
import { promptCommand } from "./add-prompt.ts";

/**
 * Asks hooks whether a command may be replaced by its text; undefined if there is no such command.
 */
export async function expansionHooks(
  session: Session,
  { name, args }: { name: string; args: string },
  prompt: string,
  about: HookRun,
): Promise<HookOutcome | undefined> {
  const isServers = findCalledPrompt(session.mcp.prompts, { name, args }) !== undefined;
  const command = promptCommand(session, name);
  if (!command && !isServers) return undefined;
  const ofFolders = command && builtInPrompts.includes(command) ? "builtin" : command?.source;
  const details = {
    expansion_type: isServers ? "mcp_prompt" : "slash_command",
    command_name: name,
    command_args: args,
    command_source: isServers ? "mcp" : ofFolders,
    prompt: isServers ? `/${name} ${args}`.trim() : prompt,
  };
  return session.hooks.run("UserPromptExpansion", details, { ...about, subject: name });
}

/** Reports that hooks refused, and returns it as the turn's result. */
export function sayUnexpanded(
  turn: Turn,
  { blocked, stop, hidesPrompt }: HookOutcome,
  prompt: string,
): string {
  const ending = hidesPrompt ? "" : `\n\nOriginal prompt: ${prompt}`;
  const text =
    blocked === undefined
      ? `Operation stopped by hook: ${stop}`
      : `UserPromptExpansion operation blocked by hook:\n${blocked}${ending}`;
  sayStopped(turn, text);
  return text;
}

/** Tells the person that the prompt was stopped. */
export function sayStopped(turn: Turn, content: string, more: JsonObject = {}): void {
  turn.say({
    type: "system",
    subtype: "informational",
    content,
    level: "warning",
    prevent_continuation: true,
    ...more,
  });
}
