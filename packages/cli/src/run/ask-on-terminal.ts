import type { Ask, Decision, Question, Suggestion } from "@signalbox/runner";
import type { Keyboard } from "../terminal/keyboard.ts";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import { indent, toolInput } from "./describe-tool.ts";

export interface Terminal {
  readonly keyboard: Keyboard;
  readonly style: Style;
  readonly print: (text: string) => void;
}

const NO_WORDS = "The user does not want this.";
const withdrawn: Decision = { behavior: "deny", message: "The question was withdrawn." };

/** Puts an ask to the person at the terminal. Enter alone never allows anything. */
export async function askOnTerminal(
  ask: Ask,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Decision> {
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
        `The agent opened a dialog that this terminal cannot show: ${visible(ask.request.dialog_kind)}`,
      );
      return { behavior: "deny", message: "This dialog cannot be shown here." };
    default:
      return ask satisfies never;
  }
}

async function askPermission(
  ask: Extract<Ask, { kind: "permission" }>,
  signal: AbortSignal,
  { keyboard, style, print }: Terminal,
): Promise<Decision> {
  const who = ask.agentId === undefined ? "Claude" : `A subagent (${visible(ask.agentId)})`;
  const title = `${who} wants to use ${visible(ask.request.display_name ?? ask.tool)}`;
  print(`\n${style.yellow("▲")} ${style.bold(title)}`);
  print(indent(visible(toolInput(ask.input)), "  │ "));
  if (ask.request.decision_reason) print(style.dim(`  ${visible(ask.request.decision_reason)}`));
  for (const [i, suggestion] of ask.suggestions.entries()) {
    print(style.dim(`  a${i + 1}: always: ${visible(spellOut(suggestion))}`));
  }
  const always = ask.suggestions.length > 0 ? ", a1… always" : "";
  const question = style.yellow(`  y allow, n deny, e edit${always}, s deny and stop > `);
  for (;;) {
    const line = await keyboard.ask(question, signal);
    if (line === undefined) return withdrawn;
    const answer = line.trim().toLowerCase();
    const picked = /^a(\d+)$/.exec(answer);
    const suggestion = picked && ask.suggestions[Number(picked[1]) - 1];
    if (suggestion) return { behavior: "allow", remember: [suggestion] };
    if (answer === "y" || answer === "yes") return { behavior: "allow" };
    if (answer === "n" || answer === "no") return deny(signal, keyboard, style);
    if (answer === "s") return { behavior: "deny", message: NO_WORDS, stop: true };
    if (answer === "e") {
      const input = await editInput(ask.input, signal, { keyboard, style, print });
      if (input) return { behavior: "allow", input };
    }
  }
}

async function deny(signal: AbortSignal, keyboard: Keyboard, style: Style): Promise<Decision> {
  const words = await keyboard.ask(
    style.dim("  why? (what the agent hears; may be empty) > "),
    signal,
  );
  return { behavior: "deny", message: words?.trim() || NO_WORDS };
}

/** A command is edited as it is, any other input as JSON. Undefined: it could not be read. */
async function editInput(
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  { keyboard, style, print }: Terminal,
): Promise<Record<string, unknown> | undefined> {
  const { command } = input;
  const isCommand = typeof command === "string" && !command.includes("\n");
  const proposal = isCommand ? command : JSON.stringify(input);
  const line = await keyboard.ask(style.yellow("  edit > "), signal, proposal);
  if (line === undefined || line.trim() === "") return undefined;
  if (isCommand) return { ...input, command: line };
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    print(style.red("  That is not JSON; nothing was changed or allowed."));
    return undefined;
  }
}

/** A suggestion in full: what would be allowed from now on, and for how long. */
export function spellOut(suggestion: Suggestion): string {
  const { type, destination, rules, mode, directories, behavior } = suggestion;
  const scope = destination === undefined ? "" : ` (kept in: ${word(destination)})`;
  if (type === "setMode") return `switch to the mode ${word(mode)}${scope}`;
  if (type === "addDirectories") return `work in ${word(directories)}${scope}`;
  if (type === "addRules" && Array.isArray(rules)) {
    const named = rules.map((rule: { toolName?: string; ruleContent?: string }) =>
      rule.ruleContent === undefined ? rule.toolName : `${rule.toolName}(${rule.ruleContent})`,
    );
    return `${word(behavior ?? "allow")} ${named.join(", ")}${scope}`;
  }
  return word(suggestion);
}

function word(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function askQuestions(
  questions: readonly Question[],
  signal: AbortSignal,
  { keyboard, style, print }: Terminal,
): Promise<Decision> {
  const answers: Record<string, string | string[]> = {};
  for (const { question, header, options, multiSelect } of questions) {
    const tag = header === undefined ? "" : style.dim(` [${visible(header)}]`);
    print(`\n${style.yellow("?")} ${style.bold(visible(question))}${tag}`);
    for (const [i, { label, description }] of options.entries()) {
      const more = description === undefined ? "" : style.dim(`  ${visible(description)}`);
      print(`  ${i + 1} ${visible(label)}${more}`);
    }
    const several = multiSelect === true;
    const how = several ? "numbers with commas, or your own words" : "a number, or your own words";
    let line: string | undefined = "";
    while (line === "") line = (await keyboard.ask(style.yellow(`  ${how} > `), signal))?.trim();
    if (line === undefined) return withdrawn;
    answers[question] = chosen(
      line,
      options.map(({ label }) => label),
      several,
    );
  }
  return { behavior: "answer", answers };
}

/** Numbers become labels; anything else is an answer in the person's own words. */
export function chosen(
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
  print(`\n${style.yellow("▲")} ${style.bold("Claude has a plan")}`);
  print(indent(visible(plan === "" ? "(the plan is empty)" : plan), "  │ "));
  const question = style.yellow(
    "  y approve, e approve and accept edits, n send back with comments > ",
  );
  for (;;) {
    const answer = (await keyboard.ask(question, signal))?.trim().toLowerCase();
    if (answer === undefined) return withdrawn;
    if (answer === "y" || answer === "yes") return { behavior: "allow" };
    if (answer === "e") {
      const remember = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
      return { behavior: "allow", remember };
    }
    if (answer === "n" || answer === "no") return deny(signal, keyboard, style);
  }
}

async function askElicitation(
  request: Extract<Ask, { kind: "elicitation" }>["request"],
  signal: AbortSignal,
  { keyboard, style, print }: Terminal,
): Promise<Decision> {
  print(
    `\n${style.yellow("?")} ${style.bold(visible(request.mcp_server_name))}: ${visible(request.message)}`,
  );
  if (request.url) print(`  ${visible(request.url)}`);
  const properties = request.requested_schema?.["properties"] as
    | Record<string, { type?: string }>
    | undefined;
  const content: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(properties ?? {})) {
    const line = await keyboard.ask(style.yellow(`  ${visible(name)} > `), signal);
    if (line === undefined) return withdrawn;
    if (line !== "") content[name] = typed(line, type);
  }
  const sure = await keyboard.ask(style.yellow("  y send, n decline > "), signal);
  if (sure?.trim().toLowerCase() === "y") return { behavior: "accept", content };
  return { behavior: "deny", message: NO_WORDS };
}

function typed(line: string, type: string | undefined): unknown {
  if (type === "number" || type === "integer") return Number(line);
  if (type === "boolean") return /^(y|yes|true|1)$/i.test(line.trim());
  return line;
}
