import { resolve } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { everyCommand } from "../permission/every-command.ts";
import { coversDomain } from "../permission/domains.ts";
import { coversPath } from "../files/paths.ts";
import { coversCommand, namesTool, readRule } from "../permission/rule.ts";
import { readShell } from "../permission/shell-words.ts";

interface Condition {
  /** The text of the rule, such as `Bash(git *)`. */
  readonly text: string;
  readonly root: string;
}

/** Whether a call matches a hook's `if`. An event that is not a call never matches. */
export function fits(
  condition: Condition,
  details: JsonObject,
  place: { folder: string; home: string },
): boolean {
  const { tool_name: name, tool_input } = details;
  if (typeof name !== "string") return false;
  const rule = readRule(condition.text, "session", condition.root);
  if (!namesTool(rule, name)) return false;
  const { content } = rule;
  if (content === undefined) return true;
  const input = (tool_input ?? {}) as JsonObject;
  const { command, file_path, notebook_path, path, url, subagent_type } = input;
  if (name === "Bash") return coversLine(content, String(command));
  const file = file_path ?? notebook_path ?? path;
  if (typeof file === "string") {
    return coversPath(content, resolve(place.folder, file), { ...place, root: condition.root });
  }
  if (typeof url === "string" && URL.canParse(url)) {
    return coversDomain(content, new URL(url).hostname);
  }
  return content === subagent_type;
}

/**
 * Whether a command line matches. Every command that it may run counts, and a line that cannot be
 * analyzed matches, because a guard should rather run too often.
 */
function coversLine(content: string, line: string): boolean {
  const every = everyCommand(line);
  const { commands, unchecked, doubted } = readShell(line);
  if (every.doubt !== undefined || unchecked !== undefined || doubted !== undefined) return true;
  const texts = [
    line.trim(),
    ...commands.map(({ text }) => text),
    ...every.commands.map(({ words }) => words.join(" ")),
  ];
  return texts.some((text) => coversCommand(content, text));
}
