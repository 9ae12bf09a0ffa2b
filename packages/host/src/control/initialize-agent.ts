import { SignalboxError } from "@signalbox/protocol";
import { type HostAnswer, hostRequests } from "@signalbox/protocol/control";
import { ALREADY_INITIALIZED, type ControlRequestOptions } from "@signalbox/protocol/wire";
import type { Run } from "../launch/driver.ts";
import { createLaunchError } from "../launch/run-end.ts";
import { deadlineWhileAwake } from "../system/awake.ts";
import type { UnreadableOutput } from "./unreadable-output.ts";

interface InitializeServices {
  readonly run: Run;
  /** Returns the agent's output that is not a protocol message. */
  readonly unreadableOutput: UnreadableOutput;
  readonly timeoutMs: number;
  readonly request: (
    request: { subtype: string },
    options: ControlRequestOptions,
  ) => Promise<unknown>;
}

/** Initializes an agent. A failure is explained in `LAUNCH_FAILED`. */
export async function initializeAgent(
  fields: object,
  { run, unreadableOutput, timeoutMs, request }: InitializeServices,
): Promise<HostAnswer<"initialize">> {
  const late = deadlineWhileAwake(timeoutMs);
  const signal = AbortSignal.any([unreadableOutput.signal, late.signal]);
  try {
    const options = { answer: hostRequests.initialize.answer, signal };
    const answer = await request({ ...fields, subtype: "initialize" }, options);
    unreadableOutput.hasAnswered = true;
    return answer as HostAnswer<"initialize">;
  } catch (failure) {
    if (isInitialized(failure)) return {};
    throw explainFailure(failure, signal.aborted, { run, unreadableOutput, timeoutMs });
  } finally {
    late.settle();
  }
}

function explainFailure(
  failure: unknown,
  isAborted: boolean,
  { run, unreadableOutput, timeoutMs }: Omit<InitializeServices, "request">,
): unknown {
  const { agent, stderr } = run;
  const cause = { cause: failure };
  if (SignalboxError.is(failure, "CONNECTION_CLOSED")) {
    const { reason } = failure.data;
    if (reason.kind !== "clean") return new SignalboxError("LAUNCH_FAILED", { reason }, cause);
    return createLaunchError("left-at-once", { path: agent.path }, { stderr, ...cause });
  }
  if (!isAborted) return failure;
  const { first } = unreadableOutput;
  if (first !== undefined) {
    const why = `it prints what is no message, such as ${JSON.stringify(first)}`;
    return createLaunchError("not-claude-code", { path: agent.path, why }, cause);
  }
  const facts = { to: "initialize", waitedMs: timeoutMs };
  return createLaunchError("unresponsive", facts, { stderr, ...cause });
}

/**
 * An agent that was already initialized by another or earlier host is ready and reports nothing
 * more.
 */
function isInitialized(failure: unknown): boolean {
  if (!SignalboxError.is(failure, "REQUEST_REFUSED")) return false;
  return failure.data.answer === ALREADY_INITIALIZED;
}
