import type { AskView } from "@signalbox/api";

/** One field of a tool's input, as plain text. */
export interface AskField {
  readonly name: string;
  readonly text: string;
}

type Input = Readonly<Record<string, unknown>>;

/** The most important input field of each tool: it is shown first and named on the Allow button. */
const mainFields: Readonly<Record<string, string>> = {
  Bash: "command",
  Edit: "file_path",
  MultiEdit: "file_path",
  Write: "file_path",
  Read: "file_path",
  NotebookEdit: "notebook_path",
  WebFetch: "url",
  WebSearch: "query",
  Glob: "pattern",
  Grep: "pattern",
  Skill: "skill",
};

export function readInput(ask: Pick<AskView, "input">): Input {
  const { input } = ask;
  return typeof input === "object" && input !== null && !Array.isArray(input)
    ? (input as Input)
    : { input };
}

/** All fields of the input: strings as they are, everything else as JSON. */
export function listFields(ask: Pick<AskView, "input" | "tool">): readonly AskField[] {
  const first = mainFields[ask.tool ?? ""];
  const entries = Object.entries(readInput(ask));
  const ordered = entries.toSorted(([a], [b]) => Number(b === first) - Number(a === first));
  return ordered.map(([name, value]) => ({ name, text: toText(value) }));
}

/** A string as it is, everything else as JSON. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? String(value));
}

const verbs: Readonly<Record<string, string>> = {
  Bash: "Run a command",
  Edit: "Change a file",
  MultiEdit: "Change a file",
  Write: "Write a file",
  Read: "Read a file",
  NotebookEdit: "Change a notebook",
  WebFetch: "Fetch from the web",
  WebSearch: "Search the web",
  Skill: "Use a skill",
};

/** A short heading that says what the agent asks for. */
export function askHeading(ask: Pick<AskView, "kind" | "tool" | "title" | "input">): string {
  switch (ask.kind) {
    case "question":
      return "Asks you";
    case "plan":
      return "Has a plan";
    case "elicitation":
      return elicitationHeading(readInput(ask));
    case "dialog":
      return ask.title || "Asks for a choice";
    case "permission":
      return verbs[ask.tool ?? ""] ?? `Use ${ask.tool ?? "a tool"}`;
    default:
      return ask.kind satisfies never;
  }
}

/** The subagent that asks, with the description it was started with. Undefined if the main agent asks. */
export function describeAsker({
  agentId,
  subagent,
}: Pick<AskView, "agentId" | "subagent">): string | undefined {
  if (agentId === undefined) return undefined;
  const { type, description } = subagent ?? {};
  const name = type === undefined ? "a subagent" : `${firstLine(type)} agent`;
  return description === undefined ? name : `${name}: ${firstLine(description)}`;
}

/** The heading and the asking subagent in one line. */
export function askSummary(
  ask: Parameters<typeof askHeading>[0] & Parameters<typeof describeAsker>[0],
) {
  const asker = describeAsker(ask);
  return asker === undefined ? askHeading(ask) : `${askHeading(ask)} (${asker})`;
}

/** The heading names the MCP server, because a person answers differently depending on who asks. */
function elicitationHeading(input: Input): string {
  const { mcp_server_name: name, url } = input;
  const server =
    typeof name === "string" && name !== "" ? `The server ${firstLine(name)}` : "A server";
  const wants =
    typeof url === "string" && url !== "" ? "wants an address opened" : "asks for details";
  return `${server} ${wants}`;
}

/** The label of the Allow button: a verb and what it applies to. */
export function allowLabel(ask: Pick<AskView, "tool" | "input">): { verb: string; thing: string } {
  const field = mainFields[ask.tool ?? ""];
  const value = field === undefined ? undefined : readInput(ask)[field];
  const thing = typeof value === "string" ? firstLine(value) : (ask.tool ?? "");
  const verb = ask.tool === "Write" ? "Allow writing" : allowVerb(ask.tool);
  return { verb, thing };
}

function allowVerb(tool: string | undefined): string {
  if (tool === "Edit" || tool === "MultiEdit" || tool === "NotebookEdit") return "Allow changing";
  return tool === "Read" ? "Allow reading" : "Allow";
}

const MAX_LABEL_LENGTH = 60;
function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  const more = line.length < text.trim().length || line.length > MAX_LABEL_LENGTH;
  return more ? `${line.slice(0, MAX_LABEL_LENGTH)}…` : line;
}

const MAX_SHORT_LENGTH = 160;
/** Whether a field fits on one line beside its name. */
export function isShort({ text }: AskField): boolean {
  return text.length <= MAX_SHORT_LENGTH && !text.includes("\n");
}

/** How much of a text is shown before it has to be unfolded. Allow is not available until it is (C13). */
export const FOLD_LIMIT = { lines: 24, characters: 3000 };
export const COMPACT_FOLD_LIMIT = { lines: 6, characters: 400 };

export function foldText(
  text: string,
  limit = FOLD_LIMIT,
): { readonly shown: string; readonly hiddenLines: number; readonly hiddenCharacters: number } {
  const lines = text.split("\n");
  const byLines = lines.slice(0, limit.lines).join("\n");
  const shown = byLines.length > limit.characters ? byLines.slice(0, limit.characters) : byLines;
  const hiddenCharacters = text.length - shown.length;
  const hiddenLines = lines.length - shown.split("\n").length;
  return { shown, hiddenLines, hiddenCharacters };
}
