import { UsageError } from "../../command-line/usage-error.ts";
import type { Session } from "../session.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentDefinition } from "./agents.ts";

/**
 * The kind that the main conversation is led as: its prompt, its tools and its model in place of
 * ours. The command line names it, or settings do, or the session that goes on. A name that nobody
 * knows is refused where no host can bring the definition yet, and passed over elsewhere.
 */
export function chooseMainAgent(session: Session): void {
  const { options, agent: before } = session.birth;
  const name = options.agent || session.settings.agent || before;
  if (name === undefined) return;
  const found = session.agents.find(({ type }) => type === name);
  const mayComeYet = options.print && options.inputFormat === "stream-json";
  if (!found && name === options.agent && !mayComeYet) {
    const known = session.agents.map(({ type }) => type).toSorted(byLetters);
    throw new UsageError(`--agent '${name}' not found. Available agents: ${known.join(", ")}`);
  }
  session.mainAgent = found;
  const model = found?.model ?? "inherit";
  if (options.model === undefined && model !== "inherit") session.modelChoice = model;
}

const byLetters = (one: string, other: string): number => one.localeCompare(other);

/** What a kind may use of all tools. */
export function toolsOf(
  { tools, disallowedTools = [] }: AgentDefinition,
  all: readonly Tool[],
): Tool[] {
  const wanted = tools?.map((name) => (name === "Task" ? "Agent" : name.replace(/\(.*$/, "")));
  return all.filter(
    ({ name }) =>
      !disallowedTools.includes(name) &&
      (wanted === undefined || wanted.includes(name) || wanted.includes("*")),
  );
}
