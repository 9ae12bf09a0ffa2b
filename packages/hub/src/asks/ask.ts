import type { AskView, HubDecision, KeeperNote, PlanMode, PolicyName } from "@signalbox/protocol";
import type { Decision, Suggestion } from "@signalbox/runner";
import { Refusal } from "../engine.ts";
import { requireAsking } from "../session/policy.ts";

/** Which decisions fit which kind of ask. Everything may be denied. */
const fits: Readonly<Record<AskView["kind"], readonly HubDecision["behavior"][]>> = {
  permission: ["allow", "deny"],
  question: ["answer", "deny"],
  plan: ["allow", "deny"],
  elicitation: ["accept", "deny"],
  dialog: ["result", "deny"],
};

export interface AskSource {
  readonly session: string;
  readonly run: string;
  readonly folder: string;
  readonly at: number;
  readonly limitMinutes: number | undefined;
  readonly subagent?: AskView["subagent"];
}

/** The ask that a note of the runner's opens. */
export function askOf(note: KeeperNote<"ask_opened">, source: AskSource): AskView {
  const { requestId, kind, title, tool, callId, agentId, reason, blockedPath, input, suggestions } =
    note;
  const { session, run, folder, at, limitMinutes, subagent } = source;
  return {
    id: askId(session, run, requestId),
    session,
    run,
    requestId,
    kind,
    title,
    ...(tool !== undefined && { tool }),
    ...(callId !== undefined && { callId }),
    ...(agentId !== undefined && { agentId }),
    ...(subagent && { subagent }),
    ...(reason !== undefined && { reason }),
    ...(blockedPath !== undefined && { blockedPath }),
    input,
    hash: askHash(session, tool ?? kind, input, folder),
    suggestions,
    openedAt: at,
    ...(limitMinutes !== undefined && { expiresAt: at + limitMinutes * 60_000 }),
    status: "open",
  };
}

/** The same request of the same run is the same ask, however often it is told. */
export function askId(session: string, run: string, requestId: string): string {
  const hex = sha256(`${session}\n${run}\n${requestId}`);
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What a decision names: another session, tool, input or folder has another hash. */
export function askHash(session: string, tool: string, input: unknown, folder: string): string {
  return sha256(`${session}\n${tool}\n${canonical(input)}\n${folder}`);
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** JSON with sorted keys: the order in which an agent wrote them means nothing. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner as Record<string, unknown>);
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The decision as the runner wants it. What does not fit the ask is refused before anything happens. */
export function runnerDecision(ask: AskView, decision: HubDecision): Decision {
  if (!fits[ask.kind].includes(decision.behavior)) {
    const detail = `A ${ask.kind} cannot be answered with "${decision.behavior}". It takes: ${fits[ask.kind].join(", ")}.`;
    throw new Refusal(422, "wrong-decision", detail);
  }
  switch (decision.behavior) {
    case "allow": {
      const { input, remember = [], mode } = decision;
      const chosen = remember.map((place) => suggestionAt(ask, place));
      if (mode !== undefined) chosen.push(planInto(ask, mode));
      return {
        behavior: "allow",
        input: input ?? (ask.input as Record<string, unknown>),
        ...(chosen.length > 0 && { remember: chosen }),
      };
    }
    case "deny": {
      const message = decision.message?.trim();
      const said = message ? message : "The user did not allow this.";
      return { behavior: "deny", message: said, ...(decision.stop && { stop: true }) };
    }
    case "answer":
      refuseOtherQuestions(ask, decision.answers);
      return decision;
    default:
      return decision;
  }
}

/** An answer to what was not asked would close the ask and tell the agent nothing. */
function refuseOtherQuestions(ask: AskView, answers: Readonly<Record<string, unknown>>): void {
  const { questions } = (ask.input ?? {}) as { questions?: readonly { question?: unknown }[] };
  const asked = Array.isArray(questions) ? questions.map(({ question }) => String(question)) : [];
  const given = Object.keys(answers);
  const wrong =
    given.find((each) => !asked.includes(each)) ?? asked.find((each) => !given.includes(each));
  if (wrong === undefined) return;
  const detail = given.includes(wrong)
    ? `"${wrong}" was not asked. The questions are: ${asked.join("; ")}`
    : `The question "${wrong}" has no answer.`;
  throw new Refusal(422, "wrong-answer", detail);
}

/** What the agent's own dialog after a plan sends along (2.1.325). */
function planInto(ask: AskView, mode: PlanMode): Suggestion {
  if (ask.kind === "plan") return { type: "setMode", mode, destination: "session" };
  throw new Refusal(422, "wrong-decision", "A mode goes with the approval of a plan alone.");
}

/** Where everything but reading is asked, no plan is approved into changing files without asking. */
export function refuseModeUnder(policy: PolicyName, decision: HubDecision): void {
  if (policy !== "supervised" || decision.behavior !== "allow") return;
  if (decision.mode !== "acceptEdits") return;
  const detail =
    'This session is under the policy "supervised", which asks for everything but reading. Approve the plan in the mode "default", or change the policy first.';
  throw new Refusal(422, "policy-forbids", detail);
}

function suggestionAt(ask: AskView, place: number): Suggestion {
  const suggestion = ask.suggestions[place] as Suggestion | undefined;
  if (suggestion !== undefined) {
    if (suggestion.type === "setMode") requireAsking(suggestion["mode"] ?? null);
    return suggestion;
  }
  const detail = `This ask has ${ask.suggestions.length} suggestions to remember; number ${place} is not among them.`;
  throw new Refusal(422, "no-such-suggestion", detail);
}
