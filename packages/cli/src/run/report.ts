import { formatJsonLine } from "../terminal/json-line.ts";
import { readResultCostUsd, readResultText, readResultTokens } from "@signalbox/protocol";
import type { Run, RunEnd } from "@signalbox/host";
import type { ExitCode } from "../exit-code.ts";
import type { PrintedTurnTracker } from "./turn-tracker.ts";

/** The one object that `--output json` prints in every case. */
export function formatJsonReport(facts: {
  exit: ExitCode;
  run?: Run;
  watch?: PrintedTurnTracker;
  priced: boolean;
  refused: readonly string[];
  error?: string | undefined;
  end?: RunEnd | undefined;
}): string {
  const { exit, run, watch, refused, end, priced } = facts;
  const result = watch?.last;
  return formatJsonLine({
    ok: exit === 0,
    exit,
    text: result ? (readResultText(result) ?? null) : null,
    error: facts.error ?? watch?.error ?? null,
    refused,
    sessionId: watch?.sessionId ?? null,
    costUsd: result && priced ? (readResultCostUsd(result) ?? null) : null,
    durationMs: result?.duration_ms ?? null,
    turns: result?.num_turns ?? null,
    tokens: result ? readResultTokens(result) : null,
    agent: run
      ? { version: run.agent.version, class: run.agent.versionClass, path: run.agent.path }
      : null,
    leftOut: run?.unsupportedOptions ?? [],
    end: end ? { kind: end.kind, sentence: end.sentence, stderr: end.stderr } : null,
  });
}
