import type { AskView, HubDecision, PlanMode } from "@signalbox/api";
import type { Decision, RuleSuggestion } from "@signalbox/host";

/** The facts about an ask that a decision has to fit. */
export interface DecidableAsk {
  readonly kind: AskView["kind"];
  readonly input: unknown;
  readonly suggestions: readonly unknown[];
}

type InvalidDecisionCode = "wrong-decision" | "wrong-answer" | "no-such-suggestion";

/** The decision does not fit its ask. */
export class InvalidDecision extends Error {
  override readonly name = "WrongDecision";
  readonly code: InvalidDecisionCode;
  constructor(code: InvalidDecisionCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** The decisions that each kind of ask accepts. Every ask can be denied. */
const allowedBehaviors: Readonly<Record<AskView["kind"], readonly HubDecision["behavior"][]>> = {
  permission: ["allow", "deny"],
  question: ["answer", "deny"],
  plan: ["allow", "deny"],
  elicitation: ["accept", "deny"],
  dialog: ["result", "deny"],
};

/**
 * Converts a person's decision for the agent: the original input unless it was edited, and the suggestions of
 * the agent that were chosen. The hub uses it to check answers, and the runner to convert the signed decision.
 * Throws `InvalidDecision`.
 */
export function toAgentDecision(ask: DecidableAsk, decision: HubDecision): Decision {
  if (!allowedBehaviors[ask.kind].includes(decision.behavior)) {
    const detail = `A ${ask.kind} cannot be answered with "${decision.behavior}". Use one of: ${allowedBehaviors[ask.kind].join(", ")}.`;
    throw new InvalidDecision("wrong-decision", detail);
  }
  switch (decision.behavior) {
    case "allow": {
      const { input, remember = [], mode } = decision;
      const chosen = remember.map((index) => getSuggestion(ask, index));
      if (mode !== undefined) chosen.push(createModeSuggestion(ask, mode));
      return {
        behavior: "allow",
        input: input ?? (ask.input as Record<string, unknown>),
        ...(chosen.length > 0 && { remember: chosen }),
      };
    }
    case "deny": {
      const message = decision.message?.trim();
      const reason = message ? message : "The user denied this.";
      return { behavior: "deny", message: reason, ...(decision.stop && { stop: true }) };
    }
    case "answer":
      requireMatchingAnswers(ask, decision.answers);
      return decision;
    default:
      return decision;
  }
}

/** Rejects answers to other questions, which would close the ask without an answer for the agent. */
function requireMatchingAnswers(
  ask: DecidableAsk,
  answers: Readonly<Record<string, unknown>>,
): void {
  const { questions } = (ask.input ?? {}) as { questions?: readonly { question?: unknown }[] };
  const asked = Array.isArray(questions) ? questions.map(({ question }) => String(question)) : [];
  const given = Object.keys(answers);
  const wrong =
    given.find((each) => !asked.includes(each)) ?? asked.find((each) => !given.includes(each));
  if (wrong === undefined) return;
  const detail = given.includes(wrong)
    ? `"${wrong}" is not a question of this ask. Questions: ${asked.join("; ")}`
    : `The question "${wrong}" has no answer.`;
  throw new InvalidDecision("wrong-answer", detail);
}

/** The suggestion that the agent's own dialog adds when a plan is approved (2.1.325). */
function createModeSuggestion(ask: DecidableAsk, mode: PlanMode): RuleSuggestion {
  if (ask.kind === "plan") return { type: "setMode", mode, destination: "session" };
  throw new InvalidDecision("wrong-decision", "A mode can only be set when a plan is approved.");
}

export function getSuggestion(ask: DecidableAsk, index: number): RuleSuggestion {
  const suggestion = ask.suggestions[index] as RuleSuggestion | undefined;
  if (suggestion !== undefined) return suggestion;
  const detail = `This ask has ${ask.suggestions.length} suggestions; there is no suggestion ${index}.`;
  throw new InvalidDecision("no-such-suggestion", detail);
}
