import { changeModel } from "../change-model.ts";
import { costText } from "../cost-text.ts";
import { efforts, readEffort } from "../model/effort.ts";
import { getFacts, PLANNER, resolveModel, spokenName, unknownModelText } from "../model/models.ts";
import type { Session } from "../session.ts";
import { readDefinitions } from "./definitions.ts";

type Answer = (session: Session, args: string) => string | Promise<string>;

/** Commands that answer with a text for the person, by name. */
export const answers: Readonly<Record<string, Answer>> = {
  agents: () => AGENTS,
  effort: setEffort,
  mcp: tellServers,
  model: tellModel,
  "reload-skills": reloadSkills,
  usage: (session) => costText(session),
};

const AGENTS = `The /agents wizard has been removed.

Ask Claude to create or update subagents for you (e.g. "create a code-reviewer subagent that ..."),
or edit the files directly:
  • .claude/agents/       (this project)
  • ~/.claude/agents/     (all projects)

Docs: https://code.claude.com/docs/en/sub-agents`;

const NAMES =
  "sonnet, opus, haiku, fable, best, sonnet[1m], opus[1m], fable[1m], opusplan, default";
const MODEL_USAGE = `Usage: /model <name>. Available: ${NAMES}, or a full model ID.`;

function tellModel(session: Session, args: string): string {
  if (args === "help") return MODEL_USAGE;
  if (args === "") {
    return `Current model: \`${shownModel(session.modelName, session.modelChoice)}\`\n${MODEL_USAGE}`;
  }
  changeModel(session, args, "silently");
  const set = `Set model to \`${shownModel(session.modelName, args)}\` for this session only`;
  const { isUnlisted } = getFacts(session.modelName);
  return isUnlisted ? `${set}\n${unknownModelText(session.modelName)}` : set;
}

function shownModel(id: string, choice: string | undefined): string {
  if (choice === PLANNER) return "Opus in plan mode, else Sonnet";
  const isDefault =
    resolveModel(undefined) === id && (choice === undefined || choice === "default");
  return `${spokenName(id)}${isDefault ? " (default)" : ""}`;
}

const LEVELS = `${efforts.join("|")}|auto`;
const meanings: Readonly<Record<string, string>> = {
  low: "Quick, straightforward implementation with minimal overhead",
  medium: "Balanced approach with standard implementation and testing",
  high: "Comprehensive implementation with extensive testing and documentation",
  xhigh: "Deeper reasoning than high, just below maximum (on supported models)",
  max: "Maximum capability with deepest reasoning. May use excessive tokens resulting in long response times or overthinking. Use sparingly for the hardest tasks.",
};

function setEffort(session: Session, args: string): string {
  if (args === "") return `Usage: /effort <${LEVELS}>`;
  if (args === "auto") {
    session.effort = undefined;
    return "Effort level set to auto (this session only)";
  }
  const effort = readEffort(args);
  if (!effort) {
    return `Invalid argument: ${args}. Valid options are: ${[...efforts, "auto"].join(", ")}`;
  }
  session.effort = effort;
  return `Set effort level to ${effort} (this session only): ${meanings[effort]}`;
}

const MCP_USAGE =
  "Usage: /mcp [reconnect|enable|disable [<server>|all]]. With no server name, applies to all.";
const NO_SERVERS = "No MCP servers are configured. Add one with `claude mcp add`.";

function tellServers({ mcp }: Session, args: string): string {
  const [action = "", ...rest] = args.split(/\s+/);
  const name = rest.join(" ");
  if (action === "") {
    if (mcp.all.length === 0) return `${NO_SERVERS}\n${MCP_USAGE}`;
    const among = (status: string) => mcp.all.filter((one) => one.status === status).length;
    const [connected, disabled] = [among("connected"), among("disabled")];
    const others = mcp.all.length - connected - disabled;
    return `${mcp.all.length} MCP server(s): ${connected} connected, ${others} not connected, ${disabled} disabled. Use \`/mcp\` in the terminal for details.`;
  }
  if (!["reconnect", "enable", "disable"].includes(action.toLowerCase())) {
    return `"${action}" isn't a recognized /mcp action. Try reconnect, enable, or disable.`;
  }
  if (name !== "" && name !== "all" && !mcp.all.some((one) => one.name === name)) {
    return `There's no MCP server named "${name}". Run \`/mcp\` in the terminal to see configured servers.`;
  }
  if (mcp.all.length === 0) return NO_SERVERS;
  return "Reconnect, enable, and disable aren't available in this session.";
}

async function reloadSkills(session: Session): Promise<string> {
  const before = session.commands.map(({ name }) => name);
  await readDefinitions(session);
  const names = session.commands.map(({ name }) => name);
  const added = names.filter((name) => !before.includes(name)).length;
  const removed = before.filter((name) => !names.includes(name)).length;
  const changes = [
    ...(added > 0 ? [`${added} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
  const what = changes.length > 0 ? changes.join(", ") : "none added or removed";
  const skills = names.length === 1 ? "skill" : "skills";
  return `Reloaded skills: ${names.length} ${skills} available (${what}).`;
}
