import type { AgentContext } from "../agent.ts";
import type { LoopParts } from "./loop.ts";
import type { HostOutput } from "./host-output.ts";

/**
 * Creates the context that an agent gets from the loop. Paths are read when they are needed,
 * because they may change.
 */
export function createAgentContext(
  parts: LoopParts,
  hostOutput: HostOutput,
  { host, requestTurn }: Pick<AgentContext, "host" | "requestTurn">,
): AgentContext {
  const { options, environment, folder, session, report, isTrusted } = parts;
  return {
    options,
    environment,
    folder,
    ...(isTrusted !== undefined && { isTrusted }),
    get sessionId() {
      return hostOutput.session.id;
    },
    conversation: session.conversation,
    ...(session.costs && { costs: session.costs }),
    storeTitle: (aiTitle) => {
      const { transcript, id } = hostOutput.session;
      transcript.write({ type: "ai-title", aiTitle, sessionId: id });
    },
    storeCosts: (costs) => hostOutput.session.storeCosts(costs),
    ...(session.agent !== undefined && { agent: session.agent }),
    host,
    get checkpoints() {
      return hostOutput.session.checkpoints;
    },
    get transcriptPath() {
      return hostOutput.session.transcript.path;
    },
    subagentTranscript: (agentId) => hostOutput.session.transcript.forSubagent(agentId),
    say: (message) => void hostOutput.say(message),
    report,
    requestTurn,
  };
}
