import { SignalboxError } from "@signalbox/protocol";
import { type HostAnswer, hostRequests } from "@signalbox/protocol/control";
import { ALREADY_INITIALIZED, type ControlRequestOptions } from "@signalbox/protocol/wire";
import type { Run } from "../launch/driver.ts";
import { launchFailed } from "../launch/run-end.ts";
import { deadlineWhileAwake } from "../system/awake.ts";
import type { UnreadableOutput } from "./unreadable-output.ts";

interface InitializeServices {
  readonly run: Run;
  /** Returns the agent's output that is not a protocol message. */
  readonly gibberish: UnreadableOutput;
  readonly timeoutMs: number;
  readonly request: (
    request: { subtype: string },
    options: ControlRequestOptions,
  ) => Promise<unknown>;
}

/** Initializes an agent. A failure is explained in `LAUNCH_FAILED`. */
export async function initializeAgent(
  fields: object,
  { run, gibberish, timeoutMs, request }: InitializeServices,
): Promise<HostAnswer<"initialize">> {
  const late = deadlineWhileAwake(timeoutMs);
  const signal = AbortSignal.any([gibberish.signal, late.signal]);
  try {
    const options = { answer: hostRequests.initialize.answer, signal };
    const answer = await request({ ...fields, subtype: "initialize" }, options);
    gibberish.hasAnswered = true;
    return answer as HostAnswer<"initialize">;
  } catch (failure) {
    if (isInitialized(failure)) return {};
    throw explainFailure(failure, signal.aborted, { run, gibberish, timeoutMs });
  } finally {
    late.settle();
  }
}

function explainFailure(
  failure: unknown,
  isAborted: boolean,
  { run, gibberish, timeoutMs }: Omit<InitializeServices, "request">,
): unknown {
  const { agent, stderr } = run;
  const cause = { cause: failure };
  if (SignalboxError.is(failure, "CONNECTION_CLOSED")) {
    const { reason } = failure.data;
    if (reason.kind !== "clean") return new SignalboxError("LAUNCH_FAILED", { reason }, cause);
    return launchFailed("left-at-once", { path: agent.path }, { stderr, ...cause });
  }
  if (!isAborted) return failure;
  const { first } = gibberish;
  if (first !== undefined) {
    const why = `it prints what is no message, such as ${JSON.stringify(first)}`;
    return launchFailed("not-claude-code", { path: agent.path, why }, cause);
  }
  const facts = { to: "initialize", waitedMs: timeoutMs };
  return launchFailed("unresponsive", facts, { stderr, ...cause });
}

/**
 * An agent that was already initialized by another or earlier host is ready and reports nothing
 * more.
 */
function isInitialized(failure: unknown): boolean {
  if (!SignalboxError.is(failure, "REQUEST_REFUSED")) return false;
  return failure.data.answer === ALREADY_INITIALIZED;
}
