import type { AgentSetting } from "@signalbox/protocol";
import type { OrderOf } from "@signalbox/runner";
import type { SessionRow } from "../log/store.ts";

/** Where a run takes the conversation up. */
export interface TakeUp {
  /** Cut after this message of the agent's or the person's. */
  readonly at?: string | undefined;
  readonly fork?: boolean;
}

/** The order that starts a run of a session. */
export function startOrder(
  row: SessionRow,
  run: string,
  after: number,
  agent: AgentSetting,
  environment: Readonly<Record<string, string>>,
  takeUp: TakeUp = {},
): OrderOf<"start"> {
  const { folder, conversation, options } = row;
  const { model, mode, effort, addDirs, mcpServers } = options;
  const fork = takeUp.fork === true;
  const launch = {
    folder,
    ...(agent.path !== undefined && { agentPath: agent.path }),
    ...(agent.npm !== undefined && { agentPackage: agent.npm }),
    ...(agent.flags.length > 0 && { flags: agent.flags }),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { permissionMode: mode }),
    ...(effort !== undefined && { effort }),
    ...(addDirs && { addDirs }),
    ...(mcpServers && { mcpServers }),
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(conversation !== null && {
      resume: { id: conversation, ...(takeUp.at !== undefined && { at: takeUp.at }), fork },
    }),
  };
  const status = conversation === null ? "new" : fork ? "forked" : "resumed";
  const { id: session, driver, policy } = row;
  return { kind: "start", session, run, after, driver, policy, launch, status };
}
