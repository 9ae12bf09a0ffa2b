import type { AskView, HubDecision, PlanMode } from "@signalbox/api";
import type { Decision, Suggestion } from "@signalbox/host";

/** What a decision is measured by. */
export interface DecidableAsk {
  readonly kind: AskView["kind"];
  readonly input: unknown;
  readonly suggestions: readonly unknown[];
}

type InvalidDecisionCode = "wrong-decision" | "wrong-answer" | "no-such-suggestion";

/** A decision that does not fit its ask. */
export class InvalidDecision extends Error {
  override readonly name = "WrongDecision";
  readonly code: InvalidDecisionCode;
  constructor(code: InvalidDecisionCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Which decisions fit which kind of ask. Everything may be denied. */
const allowedBehaviors: Readonly<Record<AskView["kind"], readonly HubDecision["behavior"][]>> = {
  permission: ["allow", "deny"],
  question: ["answer", "deny"],
  plan: ["allow", "deny"],
  elicitation: ["accept", "deny"],
  dialog: ["result", "deny"],
};

/**
 * What a person's decision means to the agent: without an edit the asked input, and of the agent's own
 * suggestions those that were chosen. The hub checks answers by it, and the runner makes of what the
 * person signed what the agent is told. Throws `WrongDecision`.
 */
export function toAgentDecision(ask: DecidableAsk, decision: HubDecision): Decision {
  if (!allowedBehaviors[ask.kind].includes(decision.behavior)) {
    const detail = `A ${ask.kind} cannot be answered with "${decision.behavior}". It takes: ${allowedBehaviors[ask.kind].join(", ")}.`;
    throw new InvalidDecision("wrong-decision", detail);
  }
  switch (decision.behavior) {
    case "allow": {
      const { input, remember = [], mode } = decision;
      const chosen = remember.map((place) => getSuggestion(ask, place));
      if (mode !== undefined) chosen.push(createModeSuggestion(ask, mode));
      return {
        behavior: "allow",
        input: input ?? (ask.input as Record<string, unknown>),
        ...(chosen.length > 0 && { remember: chosen }),
      };
    }
    case "deny": {
      const message = decision.message?.trim();
      const told = message ? message : "The user did not allow this.";
      return { behavior: "deny", message: told, ...(decision.stop && { stop: true }) };
    }
    case "answer":
      requireMatchingAnswers(ask, decision.answers);
      return decision;
    default:
      return decision;
  }
}

/** An answer to what was not asked would close the ask and tell the agent nothing. */
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
    ? `"${wrong}" was not asked. The questions are: ${asked.join("; ")}`
    : `The question "${wrong}" has no answer.`;
  throw new InvalidDecision("wrong-answer", detail);
}

/** What the agent's own dialog after a plan sends along (2.1.325). */
function createModeSuggestion(ask: DecidableAsk, mode: PlanMode): Suggestion {
  if (ask.kind === "plan") return { type: "setMode", mode, destination: "session" };
  throw new InvalidDecision("wrong-decision", "A mode goes with the approval of a plan alone.");
}

export function getSuggestion(ask: DecidableAsk, place: number): Suggestion {
  const suggestion = ask.suggestions[place] as Suggestion | undefined;
  if (suggestion !== undefined) return suggestion;
  const detail = `This ask has ${ask.suggestions.length} suggestions to remember; number ${place} is not among them.`;
  throw new InvalidDecision("no-such-suggestion", detail);
}
