import type { RunLog } from "@signalbox/runner/link";

/**
 * Counts which of a run's numbered lines come from the agent: how many of them are stored, by the
 * number of stored lines.
 */
export class AgentLineCounter {
  /** The agent's lines as ranges of numbers: `first` to `last`, and how many came before them. */
  #ranges: { first: number; last: number; before: number }[] = [];
  #next: number;
  #agent: number;

  constructor(next: number, agent: number) {
    this.#next = next;
    this.#agent = agent;
  }

  wrap(log: RunLog): RunLog {
    return {
      add: (from, lines) => {
        if (from === "agent") this.#count(lines.length);
        this.#next += lines.length;
        log.add(from, lines);
      },
      addMarker: (subtype, fields) => {
        this.#next += 1;
        log.addMarker(subtype, fields);
      },
      waitForSpace: () => log.waitForSpace(),
    };
  }

  #count(lines: number): void {
    if (lines === 0) return;
    const [first, before] = [this.#next, this.#agent];
    const open = this.#ranges.at(-1);
    this.#agent += lines;
    if (open?.last === first - 1) open.last += lines;
    else this.#ranges.push({ first, last: first + lines - 1, before });
  }

  /**
   * This many of the agent's lines of the run are among the first `seq` lines of the log.
   * Undefined: no new ones.
   */
  countStored(seq: number): number | undefined {
    let stored: number | undefined;
    while (this.#ranges[0] && this.#ranges[0].first <= seq) {
      const { first, last, before } = this.#ranges[0];
      stored = before + Math.min(seq, last) - first + 1;
      if (last > seq) break;
      this.#ranges.shift();
    }
    return stored;
  }
}
