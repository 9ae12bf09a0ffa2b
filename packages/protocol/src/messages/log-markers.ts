import * as z from "zod";

/**
 * The markers that a runner or hub adds to a session's log, beside the lines of agent and host. The
 * log records who wrote each line, so an agent that prints one of these has only printed an unknown
 * message.
 */
const looseObject = z.looseObject;

/** See `RunTrustFacts` in the runner. */
const runTrust = looseObject({
  state: z.enum(["none", "trusted", "off", "changed"]),
  hash: z.string(),
  findings: z.number(),
});

const blockText = looseObject({
  lane: z.string(),
  messageId: z.string(),
  index: z.number(),
  kind: z.string(),
  text: z.string(),
  /** A tool call that the agent was still writing. */
  callId: z.string().optional(),
  name: z.string().optional(),
});

export const logMarkers = {
  /** A run has begun: its agent is initialized. */
  run_started: looseObject({
    run: z.string(),
    status: z.enum(["new", "resumed", "forked"]),
    driver: z.string(),
    policy: z.string(),
    agent: looseObject({ path: z.string(), version: z.string(), versionClass: z.string() }),
    capabilities: z.record(z.string(), z.boolean()),
    leftOut: z.array(looseObject({ option: z.string(), why: z.string() })),
    /** Missing when the runner does not isolate, or when somebody else started the agent. */
    isolation: looseObject({
      profile: z.string(),
      isolated: z.boolean(),
      by: z.string().optional(),
      why: z.string().optional(),
    }).optional(),
    /** Whether the folder's own settings count in this run; missing when nobody checked. */
    trust: runTrust.optional(),
  }),
  /**
   * A run has ended. `parked`: it was stopped on purpose and starts again with the next message.
   * `sentence` is for a person.
   */
  run_ended: looseObject({
    run: z.string(),
    status: z.enum(["ended", "parked", "crashed"]),
    kind: z.string(),
    sentence: z.string(),
    /** How the process exited. Both are null or missing when nobody observed it. */
    exitCode: z.number().nullable().optional(),
    signal: z.string().nullable().optional(),
    stderr: z.string().optional(),
  }),
  /** An ask waits for a person. Asks that our own hook raises are recorded by no other line. */
  ask_opened: looseObject({
    requestId: z.string(),
    kind: z.enum(["permission", "question", "plan", "elicitation", "dialog"]),
    title: z.string(),
    tool: z.string().optional(),
    callId: z.string().optional(),
    agentId: z.string().optional(),
    input: z.unknown(),
    suggestions: z.array(z.unknown()),
    reason: z.string().optional(),
    /** The path that the agent's own rules do not allow. */
    blockedPath: z.string().optional(),
  }),
  /** The ask is no longer open. */
  ask_closed: looseObject({
    requestId: z.string(),
    how: z.enum(["answered", "withdrawn", "expired"]),
    behavior: z.string().optional(),
    message: z.string().optional(),
    /** The input as the person edited it, when no line to the agent contains it. */
    input: z.unknown().optional(),
    /** The name of the device that answered. */
    by: z.string().optional(),
    /** The device on which the answer was typed into the agent's own terminal. */
    device: z.string().optional(),
  }),
  /**
   * A call ran without the permission request it needed, or with another input than the person was
   * shown.
   */
  call_marked: looseObject({
    callId: z.string(),
    tool: z.string(),
    how: z.enum(["unasked", "changed"]),
    /** A sentence for a person. */
    text: z.string(),
    /** The input with which the call ran, as JSON. */
    ran: z.string().optional(),
  }),
  /**
   * The part of a message that an agent had written when its run ended. Its deltas are not in the
   * log.
   */
  text_kept: looseObject({ blocks: z.array(blockText) }),
  /** A remark of the runner or hub: bytes were cut, a session id was dropped, a policy ended. */
  remark: looseObject({
    level: z.enum(["info", "warning", "error"]),
    text: z.string(),
    /**
     * The conversation continues after this message, or from its beginning if null. Later messages
     * no longer count.
     */
    rewoundTo: z.string().nullable().optional(),
    /** The folder's own settings changed during the run. */
    trust: runTrust.optional(),
  }),
};
export type LogMarkerType = keyof typeof logMarkers;
export type LogMarker<T extends LogMarkerType = LogMarkerType> = {
  [K in T]: { type: "signalbox"; subtype: K } & z.infer<(typeof logMarkers)[K]>;
}[T];

/** Formats a marker as a line of the log. */
export function formatLogMarker<T extends LogMarkerType>(
  subtype: T,
  fields: z.infer<(typeof logMarkers)[T]>,
): string {
  return JSON.stringify({ type: "signalbox", subtype, ...fields });
}

/** Reads a marker. Returns undefined for a marker of another build, which is shown as it is. */
export function parseLogMarker(raw: string): LogMarker | undefined {
  let body: unknown;
  try {
    body = JSON.parse(raw);
  } catch {
    return undefined;
  }
  const { type, subtype } = (body ?? {}) as { type?: unknown; subtype?: unknown };
  if (type !== "signalbox" || typeof subtype !== "string") return undefined;
  if (!Object.hasOwn(logMarkers, subtype)) return undefined;
  const { success } = logMarkers[subtype as LogMarkerType].safeParse(body);
  return success ? (body as LogMarker) : undefined;
}
