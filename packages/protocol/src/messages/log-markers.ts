import * as z from "zod";

/**
 * What the keeper of a session (runner or hub) adds to its log, beside the lines of agent and host. The
 * log tells who wrote a line, so an agent that prints one of these has only printed something unknown.
 */
const kept = z.looseObject;

/** See `RunTrustFacts` of the runner. */
const runTrust = kept({
  state: z.enum(["none", "trusted", "off", "changed"]),
  hash: z.string(),
  findings: z.number(),
});

const blockText = kept({
  lane: z.string(),
  messageId: z.string(),
  index: z.number(),
  kind: z.string(),
  text: z.string(),
  /** Of a call that was being written. */
  callId: z.string().optional(),
  name: z.string().optional(),
});

export const logMarkers = {
  /** A run has begun: its agent is initialized. */
  run_started: kept({
    run: z.string(),
    status: z.enum(["new", "resumed", "forked"]),
    driver: z.string(),
    policy: z.string(),
    agent: kept({ path: z.string(), version: z.string(), versionClass: z.string() }),
    capabilities: z.record(z.string(), z.boolean()),
    leftOut: z.array(kept({ option: z.string(), why: z.string() })),
    /** Missing: a runner that does not isolate, or an agent that somebody else started. */
    isolation: kept({
      profile: z.string(),
      isolated: z.boolean(),
      by: z.string().optional(),
      why: z.string().optional(),
    }).optional(),
    /** Whether the folder's own settings count in it; absent: nobody looked. */
    trust: runTrust.optional(),
  }),
  /** A run is over. `parked`: on purpose, to be woken by the next message. `sentence` is for a person. */
  run_ended: kept({
    run: z.string(),
    status: z.enum(["ended", "parked", "crashed"]),
    kind: z.string(),
    sentence: z.string(),
    /** How the process left; both are null, or missing, where nobody saw it. */
    exitCode: z.number().nullable().optional(),
    signal: z.string().nullable().optional(),
    stderr: z.string().optional(),
  }),
  /** Something waits for a person. Asks that a hook of ours raises have no other line. */
  ask_opened: kept({
    requestId: z.string(),
    kind: z.enum(["permission", "question", "plan", "elicitation", "dialog"]),
    title: z.string(),
    tool: z.string().optional(),
    callId: z.string().optional(),
    agentId: z.string().optional(),
    input: z.unknown(),
    suggestions: z.array(z.unknown()),
    reason: z.string().optional(),
    /** The path because of which the agent's own rules do not allow it. */
    blockedPath: z.string().optional(),
  }),
  /** …and no longer does. */
  ask_closed: kept({
    requestId: z.string(),
    how: z.enum(["answered", "withdrawn", "expired"]),
    behavior: z.string().optional(),
    message: z.string().optional(),
    /** The input as the person changed it, where no line to the agent says so. */
    input: z.unknown().optional(),
    /** The device that answered, as a person named it. */
    by: z.string().optional(),
  }),
  /** A call ran without a request that should have had one, or with another input than the one shown. */
  call_marked: kept({
    callId: z.string(),
    tool: z.string(),
    how: z.enum(["unasked", "changed"]),
    /** A sentence for a person. */
    text: z.string(),
    /** The input with which it ran, as JSON. */
    ran: z.string().optional(),
  }),
  /** What an agent had written of a message when its run died: its deltas are not in the log. */
  text_kept: kept({ blocks: z.array(blockText) }),
  /** A remark of ours: bytes that were cut, an id that was dropped, a policy that ended. */
  remark: kept({
    level: z.enum(["info", "warning", "error"]),
    text: z.string(),
    /** The conversation goes on after this message; null: from its beginning. What came since is cut off. */
    rewoundTo: z.string().nullable().optional(),
    /** The folder's own settings have changed under the run. */
    trust: runTrust.optional(),
  }),
};
export type LogMarkerType = keyof typeof logMarkers;
export type LogMarker<T extends LogMarkerType = LogMarkerType> = {
  [K in T]: { type: "signalbox"; subtype: K } & z.infer<(typeof logMarkers)[K]>;
}[T];

/** A note as a line of the log. */
export function formatLogMarker<T extends LogMarkerType>(
  subtype: T,
  fields: z.infer<(typeof logMarkers)[T]>,
): string {
  return JSON.stringify({ type: "signalbox", subtype, ...fields });
}

/** Reads a line that the keeper wrote; undefined: another build's note, to be shown as it is. */
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
