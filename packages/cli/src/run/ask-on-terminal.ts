import { escapeForTerminal, escapeInJson, isPlainLine } from "@signalbox/protocol/text";
import { parseObject } from "@signalbox/protocol";
import type { Ask, Decision, AskQuestion, RuleSuggestion } from "@signalbox/host";
import type { Keyboard } from "../terminal/keyboard.ts";
import { getColumns, hangIndent } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { formatToolInput } from "./describe-tool.ts";

interface Terminal {
  readonly keyboard: Keyboard;
  readonly style: Style;
  readonly print: (text: string) => void;
}

const PROMPT = "  > ";
const BAR = "  │ ";

const DEFAULT_DENIAL = "The user denied this.";
const withdrawnDecision: Decision = { behavior: "deny", message: "The request was withdrawn." };

/** Asks the person at the terminal. Pressing Enter alone never allows anything. */
export async function askOnTerminal(
  ask: Ask,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Decision> {
  if (signal.aborted) return withdrawnDecision; // it was withdrawn while another question was open
  switch (ask.kind) {
    case "permission":
      return askPermission(ask, signal, terminal);
    case "question":
      return askQuestions(ask.questions, signal, terminal);
    case "plan":
      return askPlan(ask.plan, signal, terminal);
    case "elicitation":
      return askElicitation(ask.request, signal, terminal);
    case "dialog":
      terminal.print(
        `The agent opened a dialog that this terminal cannot show: ${escapeForTerminal(ask.request.dialog_kind)}`,
      );
      return { behavior: "deny", message: "This dialog cannot be shown in a terminal." };
    default:
      return ask satisfies never;
  }
}

async function askPermission(
  ask: Extract<Ask, { kind: "permission" }>,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Decision> {
  const { keyboard, style, print } = terminal;
  const columns = getColumns(process.stderr);
  const who = ask.agentId === undefined ? "Claude" : `A subagent (${ask.agentId})`;
  printTitle("▲", `${who} wants to use ${ask.request.display_name ?? ask.tool}`, terminal);
  for (const line of formatToolInput(ask.input, { style, columns: columns - BAR.length })) {
    print(`${style.yellow(BAR)}${line}`);
  }
  const { decision_reason: reason, blocked_path: blockedPath } = ask.request;
  if (reason) print(style.dim(hangIndent(escapeForTerminal(reason), "  ", columns, "  ")));
  if (blockedPath)
    print(style.dim(hangIndent(formatBlockedPath(blockedPath), "  ", columns, "  ")));
  for (const [i, suggestion] of ask.suggestions.entries()) {
    print(
      style.dim(
        hangIndent(
          escapeForTerminal(describeSuggestion(suggestion), "decision"),
          `  a${i + 1}  `,
          columns,
        ),
      ),
    );
  }
  const always = ask.suggestions.map((_, i) => `a${i + 1}`).join(" ");
  const keys = ["y allow", "n deny", "e edit", ...(always ? [`${always} always`] : [])];
  printChoices([...keys, "s deny and stop"], terminal);
  for (;;) {
    const line = await keyboard.ask(PROMPT, signal);
    if (line === undefined) return withdrawnDecision;
    const answer = line.trim().toLowerCase();
    const picked = /^a(\d+)$/.exec(answer);
    const suggestion = picked && ask.suggestions[Number(picked[1]) - 1];
    if (suggestion) return { behavior: "allow", remember: [suggestion] };
    if (answer === "y" || answer === "yes") return { behavior: "allow" };
    if (answer === "n" || answer === "no") return deny(signal, keyboard, style);
    if (answer === "s") return { behavior: "deny", message: DEFAULT_DENIAL, stop: true };
    if (answer === "e") {
      const input = await editInput(ask.input, signal, terminal);
      if (input) return { behavior: "allow", input };
      if (signal.aborted) return withdrawnDecision;
    }
    printChoices([...keys, "s deny and stop"], terminal);
  }
}

function printTitle(mark: string, text: string, { style, print }: Terminal, tag = ""): void {
  print(
    `\n${hangIndent(style.bold(escapeForTerminal(text)) + style.dim(tag), `${style.yellow(mark)} `, getColumns(process.stderr))}`,
  );
}

function printChoices(keys: readonly string[], { style, print }: Terminal): void {
  print(style.yellow(hangIndent(keys.join(", "), "  ", getColumns(process.stderr))));
}

async function deny(signal: AbortSignal, keyboard: Keyboard, style: Style): Promise<Decision> {
  const reason = await keyboard.ask(
    style.dim("  Tell Claude what to do instead (optional) > "),
    signal,
  );
  return { behavior: "deny", message: reason?.trim() || DEFAULT_DENIAL };
}

/** Edits a command as text and any other input as JSON. Undefined if the result is not valid. */
async function editInput(
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  { keyboard, style, print }: Terminal,
): Promise<Record<string, unknown> | undefined> {
  const { command } = input;
  // The proposal is typed like keys, so a line break in it would submit it.
  const isCommand = typeof command === "string" && isPlainLine(command);
  const proposal = isCommand ? command : escapeInJson(JSON.stringify(input), "decision");
  const line = await keyboard.ask(style.yellow("  Edit > "), signal, proposal);
  if (line === undefined || line.trim() === "") return undefined;
  if (isCommand) return { ...input, command: line };
  const edited = parseObject(line);
  if (typeof edited !== "string") return edited;
  print(style.red("  This is not a JSON object. Nothing was allowed."));
  return undefined;
}

/** Describes where a suggestion is saved, and so for how long and for whom. */
const scopes: Readonly<Record<string, string>> = {
  session: "for this session",
  localSettings: "in this folder, for you",
  projectSettings: "in this folder, for everyone",
  userSettings: "in all your folders",
};

/** Describes a suggestion in full: what would be allowed and for how long. */
export function describeSuggestion(suggestion: RuleSuggestion): string {
  const { type, destination, rules, mode, directories, behavior } = suggestion;
  const where = typeof destination === "string" && Object.hasOwn(scopes, destination);
  const scopeText = where ? scopes[destination] : `saved in ${toText(destination)}`;
  const scope = destination === undefined ? "" : ` (${scopeText})`;
  if (type === "setMode") return `switch to the mode ${toText(mode)}${scope}`;
  if (type === "addDirectories" && Array.isArray(directories)) {
    return `always allow work in ${directories.map(toText).join(", ")}${scope}`;
  }
  if (type === "addRules" && Array.isArray(rules)) {
    const named = rules.map((rule: { toolName?: string; ruleContent?: string }) =>
      rule.ruleContent === undefined ? rule.toolName : `${rule.toolName}(${rule.ruleContent})`,
    );
    return `always ${toText(behavior ?? "allow")} ${named.join(", ")}${scope}`;
  }
  return toText(suggestion);
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function askQuestions(
  questions: readonly AskQuestion[],
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Decision> {
  const { keyboard, style, print } = terminal;
  const columns = getColumns(process.stderr);
  const answers: Record<string, string | string[]> = {};
  for (const { question, header, options, multiSelect } of questions) {
    printTitle(
      "?",
      question,
      terminal,
      header === undefined ? "" : ` [${escapeForTerminal(header)}]`,
    );
    const widest = Math.max(
      ...options.map(({ label }) => Bun.stringWidth(escapeForTerminal(label))),
    );
    for (const [i, { label, description }] of options.entries()) {
      const [name, more] = [escapeForTerminal(label), escapeForTerminal(description ?? "")];
      const gap = " ".repeat(Math.max(0, Math.min(widest, 30) - Bun.stringWidth(name)) + 2);
      const text = more === "" ? name : `${name}${gap}${style.dim(more)}`;
      print(hangIndent(text, `  ${i + 1} `, columns));
    }
    const several = multiSelect === true;
    printChoices(
      [several ? "Enter numbers, separated by commas" : "Enter a number", "or your own answer"],
      terminal,
    );
    let line: string | undefined = "";
    while (line === "") line = (await keyboard.ask(PROMPT, signal))?.trim();
    if (line === undefined) return withdrawnDecision;
    answers[question] = parseAnswer(
      line,
      options.map(({ label }) => label),
      several,
    );
  }
  return { behavior: "answer", answers };
}

/** Converts numbers to labels. Any other text is the answer itself. */
export function parseAnswer(
  line: string,
  labels: readonly string[],
  several: boolean,
): string | string[] {
  const numbers = several ? line.split(/[\s,]+/) : [line];
  const picked = numbers.map((number) =>
    /^\d+$/.test(number) ? labels[Number(number) - 1] : undefined,
  );
  if (!picked.every((label) => label !== undefined)) return line;
  return several ? picked : (picked[0] ?? line);
}

async function askPlan(plan: string, signal: AbortSignal, terminal: Terminal): Promise<Decision> {
  const { keyboard, style, print } = terminal;
  printTitle("▲", "Claude has a plan", terminal);
  const bar = style.yellow(BAR);
  const text = plan.trim() === "" ? "(the plan is empty)" : plan.trimEnd();
  print(hangIndent(escapeForTerminal(text), bar, getColumns(process.stderr), bar));
  const keys = ["y approve", "e approve and accept edits", "n request changes"];
  printChoices(keys, terminal);
  for (;;) {
    const answer = (await keyboard.ask(PROMPT, signal))?.trim().toLowerCase();
    if (answer === undefined) return withdrawnDecision;
    if (answer === "y" || answer === "yes") return { behavior: "allow" };
    if (answer === "e") {
      const remember = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
      return { behavior: "allow", remember };
    }
    if (answer === "n" || answer === "no") return deny(signal, keyboard, style);
    printChoices(keys, terminal);
  }
}

async function askElicitation(
  request: Extract<Ask, { kind: "elicitation" }>["request"],
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Decision> {
  const { keyboard, style, print } = terminal;
  printTitle("?", `${request.mcp_server_name}: ${request.message}`, terminal);
  if (request.url)
    print(hangIndent(escapeForTerminal(request.url, "decision"), "  ", getColumns(process.stderr)));
  const properties = request.requested_schema?.["properties"] as
    | Record<string, { type?: string }>
    | undefined;
  const content: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(properties ?? {})) {
    const line = await keyboard.ask(style.yellow(`  ${escapeForTerminal(name)} > `), signal);
    if (line === undefined) return withdrawnDecision;
    if (line !== "") content[name] = parseField(line, type);
  }
  const sure = await keyboard.ask(style.yellow("  y send, n decline > "), signal);
  if (sure?.trim().toLowerCase() === "y") return { behavior: "accept", content };
  return { behavior: "deny", message: DEFAULT_DENIAL };
}

function parseField(line: string, type: string | undefined): unknown {
  if (type === "number" || type === "integer") return Number(line);
  if (type === "boolean") return /^(y|yes|true|1)$/i.test(line.trim());
  return line;
}

/** Names, on one line, the path for which the agent's rules do not allow a call. */
export function formatBlockedPath(path: string): string {
  return `Blocked path: ${escapeForTerminal(path, "decision").replaceAll("\n", "␊")}`;
}
