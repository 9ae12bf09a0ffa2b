import type { NewSession } from "@signalbox/protocol";
import type { HubClient } from "../client.ts";
import type { Session } from "../contract.ts";
import { type TurnOptions, turnOver } from "./turn.ts";

export interface LoopOptions extends TurnOptions {
  /** What is said in every turn. */
  readonly task: string;
  /** How sessions are made; its prompt is the task. */
  readonly session: Omit<NewSession, "prompt">;
  /** At most so many; one unless `until` is given. */
  readonly turns?: number;
  /** Asked after each turn whether it is done. */
  readonly until?: () => Promise<boolean>;
  /** Each turn in a session of its own, which gives its process back afterwards. */
  readonly fresh?: boolean;
  /** No turn begins once this has been spent. */
  readonly maxCostUsd?: number;
  /** A turn that runs then is interrupted. */
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

/** Puts a task to an agent again and again, each time after the real end of the turn before. */
export async function loop(hub: HubClient, options: LoopOptions): Promise<LoopEnd> {
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
      turns.push({ nth: turns.length + 1, ...run.turn });
      options.onTurn?.({ nth: turns.length, ...run.turn });
      if (run.turn.how === "failed") return end("failed");
      if (run.turn.how === "interrupted") return end(late.signal.aborted ? "time" : "aborted");
      if (await options.until?.()) return end("until");
      if (end("cost").costUsd >= (options.maxCostUsd ?? Infinity)) return end("cost");
    }
    return end("turns");
  } finally {
    clearTimeout(timer);
  }
}

async function oneTurn(
  hub: HubClient,
  options: LoopOptions,
  before: Session | undefined,
  signal: AbortSignal,
): Promise<{ session: Session; turn: Omit<LoopTurn, "nth"> }> {
  const began = performance.now();
  const { task } = options;
  const turnsBefore = before?.summary.turns ?? 0;
  const session =
    before ?? (await hub.createSession({ ...options.session, prompt: { text: task } }));
  if (before) await hub.send(before.id, { text: task });
  const spent = before?.summary.costUsd ?? 0;
  const over = await turnOver(hub, session.id, turnsBefore, { ...options, signal }).catch(
    (failure: unknown) => {
      if (!signal.aborted) throw failure;
    },
  );
  if (!over) await hub.interrupt(session.id).catch(() => {}); // it has just ended by itself
  const now = over?.session ?? (await hub.session(session.id));
  if (options.fresh === true) await hub.park(session.id).catch(() => {}); // it is over already
  const how = !over ? "interrupted" : over.stand === "over" ? "ended" : "failed";
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
