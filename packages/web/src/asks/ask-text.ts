import type { AskView } from "@signalbox/api";
import { diffLines } from "@signalbox/timeline/view";
import { strings } from "../strings/strings.ts";
import { lookup } from "../text/lookup.ts";
import { relativePath } from "../text/path.ts";

/** One field of a tool's input, as plain text. */
export interface AskField {
  readonly name: string;
  readonly text: string;
  /** How it is drawn: a path, or a change whose lines begin with their signs. Otherwise as text. */
  readonly look?: "path" | "change";
}

type Input = Readonly<Record<string, unknown>>;

const text = strings.asks;

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

/**
 * All fields of the input: strings as they are, everything else as JSON. The old and the new text of an edit are
 * one field, with all lines of both.
 */
export function listFields(ask: Pick<AskView, "input" | "tool">): readonly AskField[] {
  const first = mainFields[ask.tool ?? ""];
  const { input, change } = joinChange(ask.tool, readInput(ask));
  const entries = Object.entries(input);
  const ordered = entries.toSorted(([a], [b]) => Number(b === first) - Number(a === first));
  const fields = ordered.map(([name, value]): AskField => {
    const isPath = name === first && pathFields.has(name);
    return { name, text: toText(value), ...(isPath && { look: "path" }) };
  });
  return change === undefined ? fields : fields.toSpliced(1, 0, change);
}

const pathFields: ReadonlySet<string> = new Set(["file_path", "notebook_path"]);

/** Takes the change out of the input of an edit. */
function joinChange(
  tool: string | undefined,
  input: Input,
): { readonly input: Input; readonly change?: AskField } {
  const { old_string: before, new_string: after, replace_all: everywhere, ...rest } = input;
  const isEdit = tool === "Edit" && typeof before === "string" && typeof after === "string";
  if (!isEdit || "change" in rest) return { input };
  // To replace one occurrence is what an edit does unless it is told otherwise.
  const isUsual = everywhere === undefined || everywhere === false;
  return {
    input: isUsual ? rest : { ...rest, replace_all: everywhere },
    change: { name: "change", text: formatChange(before, after), look: "change" },
  };
}

/** Every line of both texts with its sign. The texts can be read from it, character for character. */
function formatChange(before: string, after: string): string {
  // The same line feed at the end of both is no line of its own.
  const isEnded = before.endsWith("\n") && after.endsWith("\n");
  const split = (text: string) => (isEnded ? text.slice(0, -1) : text).split("\n");
  const lines = diffLines(before === "" ? [] : split(before), after === "" ? [] : split(after));
  return lines.map(({ sign, text }) => sign + text).join("\n");
}

/** What a field is called. Fields of tools that are not known have the agent's own names. */
export function fieldLabel(name: string): string {
  return lookup(text.fields, name) ?? name;
}

/** Why the agent asks; undefined if it only says that it has to. */
export function askReason({ reason }: Pick<AskView, "reason">): string | undefined {
  return reason !== undefined && /^This \w+ requires approval\.?$/.test(reason.trim())
    ? undefined
    : reason;
}

/** A string as it is, everything else as JSON. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? String(value));
}

/** A short heading that says what the agent asks for. */
export function askHeading(ask: Pick<AskView, "kind" | "tool" | "title" | "input">): string {
  switch (ask.kind) {
    case "question":
      return text.question;
    case "plan":
      return text.plan;
    case "elicitation":
      return elicitationHeading(readInput(ask));
    case "dialog":
      return ask.title || text.choice;
    case "permission":
      return lookup(text.headings, ask.tool ?? "") ?? text.useTool(ask.tool ?? text.someTool);
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
  const name = type === undefined ? text.subagent : text.subagentNamed(firstLine(type));
  return description === undefined ? name : `${name}: ${firstLine(description)}`;
}

/**
 * What is asked in one line, such as `Wants to run npm test`, with the subagent that asks. Paths are relative to
 * the session's folder, if it is given.
 */
export function askSummary(
  ask: Parameters<typeof askHeading>[0] & Parameters<typeof describeAsker>[0],
  folder?: string,
) {
  const asker = describeAsker(ask);
  const summary = ask.kind === "permission" ? permissionSummary(ask, folder) : askHeading(ask);
  return asker === undefined ? summary : `${summary} (${asker})`;
}

function permissionSummary(ask: Pick<AskView, "tool" | "input">, folder?: string): string {
  const tool = ask.tool ?? text.someTool;
  const verb = lookup(text.summaries, tool);
  const field = mainFields[tool] ?? "";
  const value = readInput(ask)[field];
  if (verb === undefined || typeof value !== "string") return text.wantsToUse(tool);
  return `${verb} ${firstLine(pathFields.has(field) ? relativePath(value, folder) : value)}`;
}

/** The heading names the MCP server, because a person answers differently depending on who asks. */
function elicitationHeading(input: Input): string {
  const { mcp_server_name: name, url } = input;
  const server =
    typeof name === "string" && name !== "" ? text.server(firstLine(name)) : text.unnamedServer;
  return typeof url === "string" && url !== ""
    ? text.serverWantsAddress(server)
    : text.serverWantsDetails(server);
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
