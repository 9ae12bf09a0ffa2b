import type { AgentRequest } from "@signalbox/protocol/control";

/** Something that the agent waits for a person to decide. `request` is the whole request. */
export type Ask = { readonly requestId: string } & (
  | (ToolAsk & { readonly kind: "permission" })
  | (ToolAsk & { readonly kind: "question"; readonly questions: readonly AskQuestion[] })
  | (ToolAsk & { readonly kind: "plan"; readonly plan: string })
  | { readonly kind: "elicitation"; readonly request: AgentRequest<"elicitation"> }
  | { readonly kind: "dialog"; readonly request: AgentRequest<"request_user_dialog"> }
);

interface ToolAsk {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The subagent that asks; undefined for the main agent. */
  readonly agentId?: string;
  /** The agent's own suggestions for "always": permission updates, to be shown in full. */
  readonly suggestions: readonly RuleSuggestion[];
  readonly request: AgentRequest<"can_use_tool">;
}
export type RuleSuggestion = { readonly type: string; readonly [field: string]: unknown };

export interface AskQuestion {
  readonly question: string;
  readonly header?: string;
  readonly multiSelect?: boolean;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
}

/** A person's decision. Allowing may include an edited input, and suggestions to remember. */
export type Decision =
  | {
      readonly behavior: "allow";
      readonly input?: Readonly<Record<string, unknown>>;
      readonly remember?: readonly RuleSuggestion[];
    }
  /**
   * Denies the call. `message` reaches the agent as the tool's result; `stop` also ends its turn.
   */
  | { readonly behavior: "deny"; readonly message: string; readonly stop?: boolean }
  /** Answers a question: the chosen labels, or the person's own text, by question text. */
  | {
      readonly behavior: "answer";
      readonly answers: Readonly<Record<string, string | readonly string[]>>;
    }
  /** Answers an elicitation. */
  | { readonly behavior: "accept"; readonly content: Readonly<Record<string, unknown>> }
  /** Answers a dialog; the value depends on the kind of dialog. */
  | { readonly behavior: "result"; readonly result: Readonly<Record<string, unknown>> };

export function parseToolAsk(requestId: string, request: AgentRequest<"can_use_tool">): Ask {
  const { tool_name: tool, input, agent_id: agentId } = request;
  const suggestions = request.permission_suggestions ?? [];
  const common = {
    requestId,
    tool,
    input,
    suggestions,
    request,
    ...(agentId !== undefined && { agentId }),
  };
  if (tool === "AskUserQuestion" && Array.isArray(input["questions"])) {
    return { ...common, kind: "question", questions: input["questions"] as AskQuestion[] };
  }
  if (tool === "ExitPlanMode") {
    const plan = typeof input["plan"] === "string" ? input["plan"] : "";
    return { ...common, kind: "plan", plan };
  }
  return { ...common, kind: "permission" };
}

/** Whether the request is a question to a person, which no policy may answer. */
export function needsPerson(request: AgentRequest<"can_use_tool">): boolean {
  return (
    request.requires_user_interaction === true ||
    personOnlyTools.includes(request.tool_name) ||
    request.decision_reason_type === "hook" // another hook requires a person's confirmation
  );
}
export const personOnlyTools: readonly string[] = ["AskUserQuestion", "ExitPlanMode"];

/**
 * Converts a decision to the answer on the wire. It always includes the input, because some
 * versions run nothing without it.
 */
export function buildPermissionAnswer(ask: ToolAsk & { kind: string }, decision: Decision): object {
  switch (decision.behavior) {
    case "allow":
      return {
        behavior: "allow",
        updatedInput: decision.input ?? ask.input,
        ...(decision.remember?.length && { updatedPermissions: decision.remember }),
      };
    case "answer":
      if (ask.kind !== "question") return denyWith("An answer was given where none was asked for.");
      return {
        behavior: "allow",
        updatedInput: { ...ask.input, answers: joinAnswers(decision.answers) },
      };
    case "deny":
      return {
        behavior: "deny",
        message: decision.message,
        ...(decision.stop === true && { interrupt: true }),
      };
    default:
      return denyWith(`A decision "${decision.behavior}" does not fit a permission.`);
  }
}

/** Joins several choices of one question into one text, as the agent's own dialog does. */
function joinAnswers(answers: Readonly<Record<string, string | readonly string[]>>) {
  const entries = Object.entries(answers);
  return Object.fromEntries(entries.map(([q, a]) => [q, typeof a === "string" ? a : a.join(", ")]));
}

export function denyWith(why: string): object {
  return { behavior: "deny", message: why };
}
