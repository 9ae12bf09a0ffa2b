import type { AskView, HubDecision } from "@signalbox/client";
import type { Ask, Decision, AskQuestion, RuleSuggestion } from "@signalbox/host";

/** Converts an ask of the hub for the terminal's dialogs; undefined if it can only be answered on the page. */
export function toTerminalAsk(view: AskView): Ask | undefined {
  const { requestId, kind, tool = "", agentId, reason, blockedPath, title } = view;
  const input = (view.input ?? {}) as Readonly<Record<string, unknown>>;
  const common = {
    requestId,
    tool,
    input,
    suggestions: view.suggestions as RuleSuggestion[],
    ...(agentId !== undefined && { agentId: formatSubagentName(view) || agentId }),
    request: {
      subtype: "can_use_tool" as const,
      tool_name: tool,
      input,
      ...(title !== tool && { display_name: title }),
      ...(reason !== undefined && { decision_reason: reason }),
      ...(blockedPath !== undefined && { blocked_path: blockedPath }),
    },
  };
  switch (kind) {
    case "permission":
      return { ...common, kind };
    case "question":
      return { ...common, kind, questions: (input["questions"] ?? []) as AskQuestion[] };
    case "plan":
      return { ...common, kind, plan: typeof input["plan"] === "string" ? input["plan"] : "" };
    case "elicitation":
      return { requestId, kind, request: input as Extract<Ask, { kind: typeof kind }>["request"] };
    case "dialog":
      return undefined;
    default:
      return kind satisfies never;
  }
}

/** Names a subagent by its type and description, which a person recognizes more easily than its id. */
function formatSubagentName({ subagent: { type, description } = {} }: AskView): string {
  return [type, description].filter((word) => word !== undefined).join(": ");
}

/** Converts a decision for the hub, which identifies remembered suggestions by their index in the ask. */
export function toHubDecision(decision: Decision, { kind, suggestions }: AskView): HubDecision {
  switch (decision.behavior) {
    case "allow": {
      const { input, remember = [] } = decision;
      const mode = kind === "plan" ? findPlanMode(remember, suggestions) : undefined;
      const indexes = remember
        .map((one) => findSuggestionIndex(one, suggestions))
        .filter((index) => index >= 0);
      return {
        behavior: "allow",
        ...(input && { input: { ...input } }),
        ...(indexes.length > 0 && { remember: indexes }),
        ...(mode !== undefined && { mode }),
      };
    }
    case "answer": {
      const answers = Object.entries(decision.answers).map(([question, answer]) => {
        return [question, typeof answer === "string" ? answer : [...answer]] as const;
      });
      return { behavior: "answer", answers: Object.fromEntries(answers) };
    }
    case "accept":
      return { behavior: "accept", content: { ...decision.content } };
    case "result":
      return { behavior: "result", result: { ...decision.result } };
    default:
      return decision;
  }
}

/** Returns the mode for carrying out a plan, if the ask itself does not suggest that mode. */
function findPlanMode(remember: readonly RuleSuggestion[], suggestions: readonly unknown[]) {
  const wanted = remember.find(
    (one) => one.type === "setMode" && findSuggestionIndex(one, suggestions) < 0,
  );
  const mode = wanted?.["mode"];
  return mode === "default" || mode === "acceptEdits" ? mode : undefined;
}

function findSuggestionIndex(wanted: RuleSuggestion, suggestions: readonly unknown[]): number {
  const text = JSON.stringify(wanted);
  return suggestions.findIndex((one) => one === wanted || JSON.stringify(one) === text);
}
