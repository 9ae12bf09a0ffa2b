import type { Birth } from "../agent.ts";
import type { LoopParts } from "./loop.ts";
import type { Voice } from "./voice.ts";

/** What an agent gets of the loop that drives it. Where things are kept is told as it is when it is asked. */
export function birthOf(
  parts: LoopParts,
  voice: Voice,
  { host, wake }: Pick<Birth, "host" | "wake">,
): Birth {
  const { options, environment, folder, session, report, isTrusted } = parts;
  return {
    options,
    environment,
    folder,
    ...(isTrusted !== undefined && { isTrusted }),
    get sessionId() {
      return voice.session.id;
    },
    conversation: session.conversation,
    ...(session.costs && { costs: session.costs }),
    keepTitle: (aiTitle) => {
      const { transcript, id } = voice.session;
      transcript.write({ type: "ai-title", aiTitle, sessionId: id });
    },
    keepCosts: (costs) => voice.session.keepCosts(costs),
    ...(session.agent !== undefined && { agent: session.agent }),
    host,
    get checkpoints() {
      return voice.session.checkpoints;
    },
    get transcriptPath() {
      return voice.session.transcript.path;
    },
    subagentTranscript: (agentId) => voice.session.transcript.ofSubagent(agentId),
    say: (message) => void voice.say(message),
    report,
    wake,
  };
}
