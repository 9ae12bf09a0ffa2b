import { UsageError } from "@signalbox/agent/command-line";
import { firstPrompt } from "../hooks/session-start.ts";
import { namesTool, readRule, type Rule } from "../permission/rule.ts";
import type { Session } from "../session.ts";
import type { Tool } from "../tool.ts";
import type { AgentDefinition } from "./agents.ts";

/**
 * Chooses the kind of agent that leads the main conversation, with its own prompt, tools and model.
 * The command line names it, or the settings, or the resumed session. An unknown name is an error
 * if no host can still define it, and is ignored otherwise.
 */
export function chooseMainAgent(session: Session): void {
  const { options, agent: before } = session.context;
  const name = options.agent || session.settings.agent || before;
  if (name === undefined) return;
  const found = session.agents.find(({ type }) => type === name);
  const mayComeYet = options.print && options.inputFormat === "stream-json";
  if (!found && name === options.agent && !mayComeYet) {
    const known = session.agents.map(({ type }) => type).toSorted(byLetters);
    throw new UsageError(`--agent '${name}' not found. Available agents: ${known.join(", ")}`);
  }
  const isNew =
    found?.type !== session.mainAgent?.type && session.context.conversation.length === 0;
  session.mainAgent = found;
  if (isNew && found?.initialPrompt !== undefined) {
    session.context.requestTurn(firstPrompt(found.initialPrompt));
  }
  const model = found?.model ?? "inherit";
  if (options.model === undefined && model !== "inherit") session.modelChoice = model;
}

const byLetters = (one: string, other: string): number => one.localeCompare(other);

const getRule = (text: string): Rule => readRule(text, "session", "");

/** Returns the tools that a kind may use. A kind with a memory can read and write it. */
export function getTools(
  { tools, disallowedTools = [], memory }: AgentDefinition,
  all: readonly Tool[],
): Tool[] {
  const ofMemory = memory && tools ? ["Read", "Write", "Edit"] : [];
  const wanted = tools && [...tools, ...ofMemory].map(getRule);
  const unwanted = disallowedTools.map(getRule).filter(({ content }) => content === undefined);
  return all.filter(
    ({ name }) =>
      !unwanted.some((rule) => namesTool(rule, name)) &&
      (wanted?.some((rule) => rule.tool === "*" || namesTool(rule, name)) ?? true),
  );
}
