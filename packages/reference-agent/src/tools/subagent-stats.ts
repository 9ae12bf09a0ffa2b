/** Counts how subagents ended, for the result. */
export class SubagentStats {
  #spawned = 0;
  #countRequest = { background: 0, foreground: 0, unset: 0 };
  #startedInBackground = 0;
  #maxDepth = 0;
  #bySubagents = 0;
  readonly #counted = new Set<string>();
  #countEnd = { completed: 0, failed: 0 };
  /** Who stopped them: the agent that started it, a person, or an interrupt. */
  #countKill = { parent: 0, user: 0, system: 0 };
  #byType: Record<string, number> = {};

  /** Counts a request. `said` is the requested mode, in the background or not, if there was one. */
  requested(
    reportedStats: unknown,
    { type, depth, inBackground }: { type: string; depth: number; inBackground: boolean },
  ): void {
    this.#spawned++;
    this.#countRequest[
      reportedStats === true ? "background" : reportedStats === false ? "foreground" : "unset"
    ]++;
    if (inBackground) this.#startedInBackground++;
    this.#maxDepth = Math.max(this.#maxDepth, depth);
    if (depth > 1) this.#bySubagents++;
    this.#byType[type] = (this.#byType[type] ?? 0) + 1;
  }

  /** Counts a subagent once, however often it is started again. */
  ended(how: "completed" | "failed", id: string): void {
    if (this.#counted.has(id)) return;
    this.#counted.add(id);
    this.#countEnd[how]++;
  }

  killed(by: "parent" | "user" | "system"): void {
    this.#countKill[by]++;
  }

  report(): object {
    return {
      spawned: this.#spawned,
      requested: { ...this.#countRequest },
      started_in_background: this.#startedInBackground,
      max_depth: this.#maxDepth,
      spawned_by_subagents: this.#bySubagents,
      completed: this.#countEnd.completed,
      failed: this.#countEnd.failed,
      killed: { ...this.#countKill },
      refused: { depth_limit: 0, concurrency_limit: 0, budget: 0 },
      by_type: { ...this.#byType },
    };
  }
}
