import type { JsonObject } from "@signalbox/protocol/wire";
import type { AgentDescription } from "@signalbox/agent";
import { builtIn, builtInPrompts } from "./commands/built-in.ts";
import type { SlashCommand } from "./commands/commands.ts";
import { flawsInLine } from "./mcp/config.ts";
import { promptName, toShownPrompt } from "./mcp/prompts.ts";
import { getSource } from "./mcp/server.ts";
import { describeModels } from "./model/models.ts";
import { DEFAULT_STYLE, styleNamed } from "./output-styles/styles.ts";
import type { Session } from "./session.ts";

/** Describes the agent to hosts: in the answer to `initialize`, and before each turn. */
export function describe(session: Session): AgentDescription {
  const apiKeySource = session.credentials.source;
  const commands = [
    ...session.commands.filter(isForPeople).map(shownCommand),
    ...[...builtIn, ...builtInPrompts].map((one) => ({ ...shownCommand(one), builtin: true })),
  ];
  const { prompts } = session.mcp;
  return {
    initialize: {
      commands: [...commands, ...prompts.map(toShownPrompt)],
      agents: session.agents.map(({ type, description, model }) => ({
        name: type,
        description,
        ...(model === undefined ? {} : { model }),
      })),
      output_style: styleNamed(session.settings),
      available_output_styles: [DEFAULT_STYLE, ...session.outputStyles.map(({ name }) => name)],
      models: describeModels(),
      account: { tokenSource: "none", apiKeySource, apiProvider: "firstParty" },
      current_permission_mode: session.permission.mode,
      fast_mode_state: "off",
      session_state: "idle",
    },
    init: () =>
      initFields(
        session,
        [...commands.map(({ name }) => name), ...prompts.map(promptName)],
        apiKeySource,
      ),
  };
}

const isForPeople = ({ forPeople }: SlashCommand): boolean => forPeople;

const shownCommand = ({ name, description, argumentHint }: Shown): Shown => ({
  name,
  description,
  argumentHint,
});
interface Shown {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
}

async function initFields(
  session: Session,
  commands: string[],
  apiKeySource: string,
): Promise<JsonObject> {
  const { toolNames } = await import("./turn/all-tools.ts");
  const flaws = flawsInLine(session.context);
  return {
    cwd: session.shellFolder,
    tools: toolNames(session),
    mcp_servers: session.mcp.all.map((server) => ({
      name: server.name,
      status: server.status,
      source: getSource(server),
    })),
    model: session.modelName,
    permissionMode: session.permission.mode,
    slash_commands: commands,
    apiKeySource,
    output_style: styleNamed(session.settings),
    agents: session.agents.map(({ type }) => type),
    skills: session.commands.filter(isForPeople).map(({ name }) => name),
    additional_directories: session.permission.addedFolders,
    fast_mode_state: "off",
    ...(flaws.length > 0 && { mcp_server_errors: flaws }),
  };
}
