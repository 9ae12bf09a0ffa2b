import type { JsonObject } from "@signalbox/protocol/wire";
import type { ContentBlock, DeferredCall, OutgoingMessage } from "@signalbox/agent";
import type { Forbidden } from "../permission/files.ts";
import type { Output } from "../tool.ts";
import { getDecider } from "./permission-outcome.ts";
import type { Thread } from "./thread.ts";

/** The result of one call, ready to be reported. */
export interface CallOutcome {
  /** Undefined if the call was deferred. */
  readonly block?: ContentBlock;
  readonly deferred?: DeferredCall;
  /** The fields beside `message`. */
  readonly more: JsonObject;
  readonly followUps: readonly string[];
  readonly modelNotes: readonly string[];
  /**
   * Messages for the person from hooks before the call. They are sent with the result, and not
   * earlier.
   */
  readonly messagesBefore?: readonly OutgoingMessage[];
  /** Messages from hooks after the call. */
  readonly notices?: readonly OutgoingMessage[];
  readonly output?: Output;
  /** The turn ends here, because of a person or a hook. */
  readonly stopped?: "person" | "hook";
  /** Denied by a rule, or by the person who was asked. */
  readonly isDenied?: boolean;
  /** Called after the result is reported. */
  readonly afterwards?: (() => void) | undefined;
}

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
const STOPPED =
  " In this case nobody refused: the call was running already when it was stopped. Some or all of what it does may have happened, and what it began elsewhere may still go on. Look before the same is begun again. To stop and wait holds all the same.";

/** Creates the result for a call that a rule denied before anybody was asked. */
export function createRuleRefusal(id: string, { why, source: from }: Forbidden): CallOutcome {
  const { more, ...rest } = createRefusal(id, why);
  const source = getDecider("deny", from);
  const permission_decision = { decision: "reject", source, reason_type: "rule" };
  return { ...rest, more: { ...more, tool_result_meta: [{ id, permission_decision }] } };
}

export function createRefusal(
  id: string,
  why: string,
  inTags = why,
  prefix = "Error: ",
): CallOutcome {
  return {
    block: {
      type: "tool_result",
      content: `<tool_use_error>${inTags}</tool_use_error>`,
      is_error: true,
      tool_use_id: id,
    },
    more: { tool_use_result: `${prefix}${why}` },
    followUps: [],
    modelNotes: [],
  };
}

export function createFailure(id: string, why: string, meta?: JsonObject): CallOutcome {
  return {
    block: { type: "tool_result", content: why, is_error: true, tool_use_id: id },
    more: {
      tool_use_result: `Error: ${why}`,
      ...(meta ? { tool_result_meta: [{ id, ...meta }] } : {}),
    },
    followUps: [],
    modelNotes: [],
  };
}

const NOT_NOW =
  "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.";

/** Creates the result for a call that did not begin. */
export function createNotBegun(thread: Thread, id: string): CallOutcome {
  return thread.makesWay ? createCancelled(id) : createInterrupted(id, false);
}

export function createCancelled(id: string): CallOutcome {
  return {
    block: { type: "tool_result", content: NOT_NOW, is_error: true, tool_use_id: id },
    more: {
      tool_use_result: NOT_NOW,
      tool_result_meta: [{ id, non_execution_kind: "cancelled" }],
    },
    followUps: [],
    modelNotes: [],
  };
}

export function createInterrupted(id: string, wasRunning: boolean): CallOutcome {
  return {
    block: {
      type: "tool_result",
      content: wasRunning ? REFUSED + STOPPED : REFUSED,
      is_error: true,
      tool_use_id: id,
    },
    more: {
      tool_use_result: "User rejected tool use",
      tool_result_meta: [{ id, non_execution_kind: "user-rejected" }],
    },
    followUps: [],
    modelNotes: [],
  };
}
