import type { JsonObject } from "@signalbox/protocol/wire";
import type { AgentDefinition } from "../commands/agents.ts";
import { resolveModel } from "../model/models.ts";
import { deniedKind } from "../permission/agent-kinds.ts";
import type { Session } from "../session.ts";
import { runInBackground } from "./agent-background.ts";
import { runInForeground } from "./agent-foreground.ts";
import { newAgentId, newRunId } from "../tools/background.ts";
import { hasBackground } from "../tools/bash-background.ts";
import type { SubagentRun } from "./subagent.ts";
import { ToolCounter } from "../tools/tool-stats.ts";
import {
  type Call,
  flag,
  getOne,
  type Output,
  shape,
  string,
  text,
  type Tool,
  ToolFailure,
} from "../tool.ts";

/** Creates the tool that starts a subagent. Its description lists the kinds. */
export function agentTool(session: Session, allTools: () => readonly Tool[]): Tool {
  const kinds = session.agents
    .filter(({ type }) => deniedKind(session.permission, type) === undefined)
    .map(({ type, description }) => `- ${type}: ${description}`);
  return {
    name: "Agent",
    description: `Sends a subagent with a task of its own. It sees nothing of this conversation: the prompt has to say everything. Its last message is the result. Kinds:\n${kinds.join("\n")}`,
    input: {
      ...shape(
        {
          description: string("The task in three to five words"),
          prompt: string("The whole task"),
        },
        {
          subagent_type: string("The kind; general-purpose unless said otherwise"),
          model: getOne(["sonnet", "opus", "haiku", "fable"], "Another model than this one"),
          run_in_background: flag(
            "false: wait for its end. Else go on at once; its end is reported",
          ),
        },
      ),
      additionalProperties: true, // Additional properties are ignored.
    },
    beginsAtOnce: () => true,
    sideBySide: () => true,
    describe: (input) => text(input, "description"),
    doing: (input) => text(input, "description"),
    shown: (input) => {
      const fields = ["description", "prompt", "subagent_type", "model", "run_in_background"];
      return Object.fromEntries(
        fields.flatMap((name) => (name in input ? [[name, input[name]]] : [])),
      );
    },
    run: (input, call) => send(input, call, allTools),
  };
}

async function send(
  input: JsonObject,
  call: Call,
  allTools: () => readonly Tool[],
): Promise<Output> {
  const { session } = call;
  const type = text(input, "subagent_type") || "general-purpose";
  const definition = session.agents.find((one) => one.type === type);
  if (!definition) throw new ToolFailure(notFound(type, session));
  const denied = deniedKind(session.permission, type);
  if (denied !== undefined) throw new ToolFailure(denied);
  const depth = (call.agent?.depth ?? 0) + 1;
  const chosen =
    text(input, "model") || (definition.model === "inherit" ? "" : (definition.model ?? ""));
  const id = newAgentId();
  const subagent: SubagentRun = {
    id,
    runId: newRunId(),
    definition,
    description: text(input, "description"),
    prompt: text(input, "prompt"),
    modelPrompt: text(input, "prompt"),
    model: chosen === "" ? session.modelName : resolveModel(chosen),
    depth,
    inBackground: isSentAway(input, definition, call),
    outputPath: session.tasks.outputPath(id),
    lane: call.toolUseId,
    entries: [],
    inbox: [],
    counter: new ToolCounter(),
    began: Date.now(),
  };
  session.subagentStats.requested(input["run_in_background"], { ...subagent, type });
  return subagent.inBackground
    ? runInBackground(subagent, call, allTools)
    : runInForeground(subagent, call, allTools);
}

function notFound(type: string, { agents, permission }: Session): string {
  const known = agents.map((one) => one.type).filter((one) => !deniedKind(permission, one));
  const listed = known.toSorted((one, other) => one.localeCompare(other)).join(", ");
  return `Agent type '${type}' not found. Available agents: ${listed}`;
}

/**
 * Whether a subagent runs in the background. That is the default, except for subagents of
 * subagents; some kinds always do.
 */
function isSentAway(
  { run_in_background: backgroundFlag }: JsonObject,
  { background }: AgentDefinition,
  { session, agent }: Call,
): boolean {
  const isWanted =
    backgroundFlag === true || background === true || (backgroundFlag === undefined && !agent);
  return hasBackground(session) && isWanted;
}
