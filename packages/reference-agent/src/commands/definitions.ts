import { join } from "node:path";
import type { Session } from "../session.ts";
import { getTrust } from "../trust.ts";
import { type AgentDefinition, findAgents } from "./agents.ts";
import { findCommands } from "./commands.ts";
import { findStyles } from "../output-styles/styles.ts";
import type { DefinitionFolder } from "../markdown/markdown-files.ts";

/** Reads what the folders define: commands, skills, agents and output styles. */
export async function readDefinitions(session: Session): Promise<void> {
  const folders = definitionFolders(session);
  session.commands = await findCommands(folders);
  session.outputStyles = await findStyles(folders);
  const { options, report } = session.context;
  const brought = { ...options.agents, ...session.hostAgents };
  const agents = await findAgents(folders, brought, report);
  session.agents = withoutUntrusted(agents, session);
}

/** Removes the hooks of agents whose folder is not trusted, because they would run commands. */
function withoutUntrusted(
  agents: readonly AgentDefinition[],
  { context }: Session,
): readonly AgentDefinition[] {
  const hasHooks = ({ source, hooks }: AgentDefinition) => hooks && source === "projectSettings";
  if (!agents.some(hasHooks) || context.isTrusted === true || getTrust(context).isTrusted)
    return agents;
  return agents.map((one) => {
    if (!hasHooks(one)) return one;
    context.report(`Hooks of the agent ${one.type} are not run: nobody has trusted this folder.`);
    const { hooks: _, ...rest } = one;
    return rest;
  });
}

function definitionFolders({ configFolder, context }: Session): DefinitionFolder[] {
  const wanted = (name: string) => context.options.settingSources?.includes(name) ?? true;
  const project = join(context.folder, ".claude");
  return [
    ...(wanted("user") ? [{ folder: configFolder, source: "userSettings" } as const] : []),
    ...(wanted("project") ? [{ folder: project, source: "projectSettings" } as const] : []),
  ];
}
