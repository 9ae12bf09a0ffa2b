import { existsSync } from "node:fs";
import { join } from "node:path";

/** Commands of Claude Code that neither open a dialog nor change what the agent may do. */
const harmlessCommands: ReadonlySet<string> = new Set([
  "clear",
  "compact",
  "context",
  "cost",
  "init",
  "pr-comments",
  "release-notes",
  "review",
  "security-review",
]);

/** What the program would remove from a paste by itself, and then wait for a person to look at the rest. */
const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** What is typed for a message, or why it is not typed. */
type TypedText = { readonly text: string } | { readonly refused: string };

/**
 * A message as it is typed into the terminal UI. It must stay a message: control characters would be
 * keys, and "!" or "#" at the beginning would run a command or write a note without a request. Who
 * sends messages need not be allowed to type.
 */
export function toTypedText(message: string, folders: readonly string[]): TypedText {
  const text = message
    .replaceAll(/\r\n?/g, "\n")
    // oxlint-disable-next-line no-control-regex -- control characters are what it removes
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
    .replaceAll(invisible, "")
    .replaceAll("\t", "    ");
  if (text.trim() === "")
    return { refused: "The message was not typed, because it has no visible text." };
  const command = /^\/([\w:.-]*)/.exec(text.trimStart())?.[1];
  if (command !== undefined && !isMessageWithSlash(text) && !isKnownCommand(command, folders)) {
    return {
      refused: `The command /${command} was not typed, because in the terminal it may open a dialog or change permissions. Open the terminal and type it there.`,
    };
  }
  if (command !== undefined && !isMessageWithSlash(text)) return { text: text.trim() };
  const isMessage = /^[^!#&/\s]/.test(text);
  // A mention at the end would open a list, in which the next key chooses.
  const hasOpenMention = /(?:^|\s)@\S*$/.test(text);
  // After a backslash the key that sends would begin a new line.
  const hasOpenEnd = hasOpenMention || text.endsWith("\\");
  return { text: `${isMessage ? "" : " "}${text}${hasOpenEnd ? " " : ""}` };
}

/** A path such as `/etc/hosts` at the beginning of a message is no command. */
function isMessageWithSlash(text: string): boolean {
  return /^\s*\/[\w.-]*\//.test(text);
}

function isKnownCommand(command: string, folders: readonly string[]): boolean {
  if (harmlessCommands.has(command)) return true;
  const path = command.split(":").filter((part) => part !== "" && part !== "." && part !== "..");
  if (path.length === 0) return false;
  return folders.some(
    (folder) =>
      existsSync(`${join(folder, "commands", ...path)}.md`) ||
      existsSync(join(folder, "skills", ...path, "SKILL.md")),
  );
}
