import type { JsonObject } from "@signalbox/protocol/wire";
import type { OutgoingMessage } from "@signalbox/agent";
import type { CallbackAnswer, NoVerdict } from "./callback.ts";

/** The answer of one hook, and details about the hook. */
export type HookResult = CallbackAnswer & {
  /** The hook failed, and hosts show it. */
  readonly failed: boolean;
  /** The hook's command, address or prompt; undefined for the host's callbacks. */
  readonly name?: string;
  /** Undefined for the host's callbacks and for the judgement of a model. */
  readonly report?: Report;
};

/** All answers to one event combined: the strictest decides. */
export interface HookOutcome {
  readonly blocked?: string;
  readonly inItsWords?: string;
  /** The hook of the settings that blocked the event. */
  readonly blockedBy?: string;
  readonly permission?: {
    decision: "allow" | "deny" | "ask" | "defer";
    reason?: string;
    input?: JsonObject;
  };
  readonly decision?: JsonObject;
  readonly updatedInput?: JsonObject;
  readonly output?: { readonly value: unknown };
  readonly contexts: readonly string[];
  /** Outputs of commands for the model. */
  readonly printed: readonly string[];
  /** Messages for the person. */
  readonly messages: readonly string[];
  readonly firstPrompt?: string;
  readonly title?: string;
  readonly shown?: string;
  readonly hidesPrompt?: true;
  readonly stop?: string;
  /** An answer to a server's question from a hook of the settings. */
  readonly elicited?: HookResult["elicited"];
  /** The host should have given a verdict and did not. */
  readonly noVerdict?: NoVerdict;
  /** A hook failed or blocked, and hosts show it. */
  readonly failed: boolean;
  /** The hooks that ran: `callback`, or the command. */
  readonly ran: readonly (Report & { readonly name: string })[];
}

/** Whether a hook did its work, and its message. */
interface Report {
  readonly isDone: boolean;
  readonly hookText: string;
}

export function mergeAnswers(answers: readonly HookResult[]): HookOutcome {
  const decisions = ["deny", "defer", "ask", "allow"] as const;
  const strictest = decisions
    .map((decision) => answers.find(({ permission }) => permission?.decision === decision))
    .find((answer) => answer !== undefined);
  const blocking = answers.find((answer) => answer.blocked !== undefined);
  const first = <Key extends keyof HookResult>(key: Key) => {
    const value = answers.find((answer) => answer[key] !== undefined)?.[key];
    return value === undefined ? {} : { [key]: value };
  };
  const last = <Key extends keyof HookResult>(key: Key) => {
    const value = answers.findLast((answer) => answer[key] !== undefined)?.[key];
    return value === undefined ? {} : { [key]: value };
  };
  const elicited = answers.findLast(
    ({ name, elicited: elicitedAnswer }) => elicitedAnswer && name !== undefined,
  );
  const all = (key: "context" | "printed" | "message") =>
    answers.flatMap((answer) => answer[key] ?? []);
  return {
    ...first("blocked"),
    ...(blocking?.inItsWords === undefined ? {} : { inItsWords: blocking.inItsWords }),
    ...(blocking?.name === undefined ? {} : { blockedBy: blocking.name }),
    ...(strictest?.permission ? { permission: strictest.permission } : {}),
    ...first("decision"),
    ...last("updatedInput"),
    ...last("output"),
    contexts: all("context"),
    printed: all("printed"),
    messages: all("message"),
    ...first("firstPrompt"),
    ...last("title"),
    ...last("shown"),
    ...first("hidesPrompt"),
    ...first("stop"),
    ...(elicited?.elicited ? { elicited: elicited.elicited } : {}),
    ...first("noVerdict"),
    failed: answers.some(({ failed, blocked }) => failed || blocked !== undefined),
    ran: answers
      .filter(({ noVerdict }) => noVerdict?.kind !== "gone")
      .map(({ name = "callback", noVerdict, message = "", report }) => ({
        name,
        ...(report ?? { isDone: noVerdict?.kind !== "late", hookText: message }),
      })),
  };
}

/** Returns the messages of hooks for the person, in the format for hosts. */
export function getNotices(
  event: string,
  { messages }: HookOutcome,
  subject?: string,
): OutgoingMessage[] {
  const name = subject === undefined ? event : `${event}:${subject}`;
  return messages.map((text) => ({
    type: "system",
    subtype: "informational",
    content: `${name} says: ${text}`,
    level: "notice",
  }));
}

/**
 * Returns what the model is told about hooks: added context, output of commands, and what was
 * blocked.
 */
export function getRemarks(event: string, outcome: HookOutcome, subject?: string): string[] {
  const whole = subject === undefined ? event : `${event}:${subject}`;
  const named = event.startsWith("SessionStart") ? event : whole;
  const { blocked, blockedBy, contexts, printed } = outcome;
  const by = blockedBy === undefined ? "" : ` from command: "${blockedBy}"`;
  const isTold = event.startsWith("PostToolUse") && blocked !== undefined;
  return [
    ...contexts.map((text) => `${named} hook additional context: ${text}`),
    ...printed.map((text) => `${whole} hook success: ${text}`),
    ...(isTold ? [`${whole} hook blocking error${by}: ${blocked}`] : []),
  ];
}
