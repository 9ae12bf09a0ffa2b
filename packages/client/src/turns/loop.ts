import type { NewSession } from "@signalbox/api";
import type { HubClient } from "../client.ts";
import type { Session } from "../contract.ts";
import {
  type TurnWaitOptions,
  waitForTurnEnd,
  type TurnProgress,
  readTurnProgress,
} from "./turn.ts";

const ENDS_WITHIN_MS = 5000;
const AGAIN_MS = 100;

export interface LoopOptions extends TurnWaitOptions {
  /** The prompt of every turn. */
  readonly task: string;
  /** The options for new sessions; the task is their prompt. */
  readonly session: Omit<NewSession, "prompt">;
  /** The most turns to run; one unless `until` is given. */
  readonly turns?: number;
  /**
   * Called after each turn to check whether the task is done; no longer awaited once `signal`
   * aborts.
   */
  readonly until?: (signal: AbortSignal) => Promise<boolean>;
  /** Runs each turn in a session of its own, whose process is released afterwards. */
  readonly fresh?: boolean;
  /** No turn begins once this much has been spent. */
  readonly maxCostUsd?: number;
  /** A turn that is running then is interrupted, and background work is ended. */
  readonly maxMs?: number;
  readonly onTurn?: (turn: LoopTurn) => void;
}

export interface LoopTurn {
  readonly nth: number;
  readonly session: string;
  readonly how: "ended" | "failed" | "interrupted";
  readonly costUsd: number;
  readonly ms: number;
  /** Why it failed, in a sentence. */
  readonly problem?: string;
}

export interface LoopEnd {
  readonly why: "turns" | "until" | "cost" | "time" | "failed" | "aborted";
  readonly turns: readonly LoopTurn[];
  readonly costUsd: number;
  readonly ms: number;
}

/** Gives a task to an agent repeatedly, each time after the real end of the turn before. */
export async function runLoop(hub: HubClient, options: LoopOptions): Promise<LoopEnd> {
  const { turns: most = options.until ? Infinity : 1, maxMs, signal } = options;
  const began = performance.now();
  const late = new AbortController();
  const timer = maxMs === undefined ? undefined : setTimeout(() => late.abort(), maxMs);
  const stop = AbortSignal.any([late.signal, ...(signal ? [signal] : [])]);
  const turns: LoopTurn[] = [];
  let session: Session | undefined;
  const end = (why: LoopEnd["why"]): LoopEnd => {
    const costUsd = turns.reduce((sum, turn) => sum + turn.costUsd, 0);
    return { why, turns, costUsd, ms: Math.round(performance.now() - began) };
  };
  try {
    while (turns.length < most) {
      if (stop.aborted) return end(late.signal.aborted ? "time" : "aborted");
      const run = await oneTurn(hub, options, options.fresh === true ? undefined : session, stop);
      session = run.session;
      if (!run.turn) return end(late.signal.aborted ? "time" : "aborted");
      turns.push({ nth: turns.length + 1, ...run.turn });
      options.onTurn?.({ nth: turns.length, ...run.turn });
      if (run.turn.how === "failed") return end("failed");
      if (run.turn.how === "interrupted") return end(late.signal.aborted ? "time" : "aborted");
      if (await isDone(options, stop)) return end("until");
      if (stop.aborted) return end(late.signal.aborted ? "time" : "aborted");
      if (end("cost").costUsd >= (options.maxCostUsd ?? Infinity)) return end("cost");
    }
    return end("turns");
  } finally {
    clearTimeout(timer);
  }
}

/** Runs one turn. The result has no turn if it was ended before the agent had the task. */
async function oneTurn(
  hub: HubClient,
  options: LoopOptions,
  before: Session | undefined,
  signal: AbortSignal,
): Promise<{ session: Session; turn?: Omit<LoopTurn, "nth"> }> {
  const began = performance.now();
  const { task } = options;
  const turnsBefore = before?.summary.turns ?? 0;
  const session =
    before ?? (await hub.createSession({ ...options.session, prompt: { text: task } }));
  const prompt = before && (await hub.send(before.id, { text: task }));
  const spent = before?.summary.costUsd ?? 0;
  const over = await waitForTurnEnd(hub, session.id, turnsBefore, { ...options, signal }).catch(
    (failure: unknown) => {
      if (!signal.aborted) throw failure;
    },
  );
  const hasBegun = over || (await interruptTurn(hub, session.id, turnsBefore, prompt?.id));
  const now = over?.session ?? (await hub.session(session.id));
  if (options.fresh === true) await hub.park(session.id).catch(() => {}); // It has already ended.
  if (!hasBegun) return { session: now };
  const how = over ? readTurnOutcome(over.stand, now) : "interrupted";
  const problem = now.problem ?? now.summary.lastError;
  return {
    session: now,
    turn: {
      session: session.id,
      how,
      costUsd: now.summary.costUsd - spent,
      ms: Math.round(performance.now() - began),
      ...(problem !== undefined && how === "failed" && { problem }),
    },
  };
}

/**
 * Ends the running turn, or one that was about to begin: a message that the agent does not have yet
 * is withdrawn. If the agent cannot be interrupted, because it is starting or only works in the
 * background, its process is released. Returns whether the agent had the message.
 */
async function interruptTurn(
  hub: HubClient,
  id: string,
  turnsBefore: number,
  prompt: string | undefined,
): Promise<boolean> {
  let isBack = false;
  /** In a session that was created for the turn, the first message is its own. */
  const takeBack = async () => {
    const waiting = prompt ?? (await hub.session(id)).queue[0]?.id;
    if (waiting === undefined || isBack) return;
    isBack = await hub.withdrawPrompt(id, waiting).then(
      () => true,
      () => false, // The agent has it.
    );
  };
  await takeBack();
  const isTold = await hub.interrupt(id).then(
    () => true,
    () => false, // The turn has just ended by itself, or has not begun.
  );
  const now = await hub.session(id);
  if (readTurnProgress(now, turnsBefore) === "over") return !isBack;
  // The cost of the turn is reported with its end.
  const signal = AbortSignal.timeout(ENDS_WITHIN_MS);
  const ends = isTold && now.summary.tasks.length === 0;
  const over =
    ends &&
    (await waitForTurnEnd(hub, id, turnsBefore, { signal, settleMs: 0 }).catch(() => undefined));
  if (!over) await releaseProcess(hub, id);
  await takeBack(); // The message was on its way.
  return !isBack;
}

async function releaseProcess(hub: HubClient, id: string): Promise<void> {
  for (const began = performance.now(); performance.now() - began < ENDS_WITHIN_MS;) {
    const session = await hub.park(id).catch(() => undefined); // The run has already ended.
    if (session?.state !== "new" && session?.state !== "starting") return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Reads how the last turn ended, as the agent reports it; a person may have interrupted it. */
function readTurnOutcome(stand: TurnProgress, { summary }: Session): LoopTurn["how"] {
  if (stand !== "over") return "failed";
  const { lastTurn = "success" } = summary;
  if (lastTurn === "success") return "ended";
  return lastTurn === "interrupted" ? "interrupted" : "failed";
}

async function isDone({ until }: LoopOptions, signal: AbortSignal): Promise<boolean> {
  if (!until || signal.aborted) return false;
  const aborted = new Promise<false>((resolve) => {
    signal.addEventListener("abort", () => resolve(false), { once: true });
  });
  return Promise.race([until(signal), aborted]);
}
