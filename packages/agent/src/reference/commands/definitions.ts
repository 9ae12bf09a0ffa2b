import { join } from "node:path";
import type { Session } from "../session.ts";
import { findAgents } from "./agents.ts";
import { findCommands } from "./commands.ts";
import { findStyles } from "../output-styles/styles.ts";
import type { DefinitionFolder } from "./markdown-files.ts";

/** Reads what the folders define: commands, skills, agents and output styles. */
export async function readDefinitions(session: Session): Promise<void> {
  const folders = definitionFolders(session);
  session.commands = await findCommands(folders);
  session.outputStyles = await findStyles(folders);
  session.agents = await findAgents(folders, {
    ...session.birth.options.agents,
    ...session.hostAgents,
  });
}

function definitionFolders({ configFolder, birth }: Session): DefinitionFolder[] {
  const wanted = (name: string) => birth.options.settingSources?.includes(name) ?? true;
  const project = join(birth.folder, ".claude");
  return [
    ...(wanted("user") ? [{ folder: configFolder, source: "userSettings" } as const] : []),
    ...(wanted("project") ? [{ folder: project, source: "projectSettings" } as const] : []),
  ];
}
