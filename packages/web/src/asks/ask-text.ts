import type { AskView } from "@signalbox/api";
import { strings } from "../strings/strings.ts";
import { lookup } from "../text/lookup.ts";

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

const text = strings.asks;

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

/** What is asked in one line, such as `Wants to run npm test`, with the subagent that asks. */
export function askSummary(
  ask: Parameters<typeof askHeading>[0] & Parameters<typeof describeAsker>[0],
) {
  const asker = describeAsker(ask);
  const summary = ask.kind === "permission" ? permissionSummary(ask) : askHeading(ask);
  return asker === undefined ? summary : `${summary} (${asker})`;
}

function permissionSummary(ask: Pick<AskView, "tool" | "input">): string {
  const tool = ask.tool ?? text.someTool;
  const verb = lookup(text.summaries, tool);
  const value = readInput(ask)[mainFields[tool] ?? ""];
  if (verb === undefined || typeof value !== "string") return text.wantsToUse(tool);
  return `${verb} ${firstLine(value)}`;
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
