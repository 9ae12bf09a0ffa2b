import type { IngestObserver, SessionsObserver } from "../session/ingest-observer.ts";

/** The upper ends of the buckets of the time that a transaction takes, in seconds. */
const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;

/** Counts what sessions take in and store since the hub was started. */
export class Counters implements SessionsObserver {
  readonly #counts = commitBuckets.map(() => 0);
  lines = 0;
  /** Lines that the store refused for good, because their session was deleted or its data is damaged. */
  dropped = 0;
  commits = 0;
  commitSeconds = 0;
  readonly #observer: IngestObserver = {
    onLine: () => {},
    onBatch: ({ lines, commitStartedAt, committedAt }) => {
      const seconds = Math.max(0, committedAt - commitStartedAt) / 1000;
      this.lines += lines;
      this.commits++;
      this.commitSeconds += seconds;
      const bucket = commitBuckets.findIndex((end) => seconds <= end);
      if (bucket >= 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    },
    onDropped: (lines) => {
      this.dropped += lines;
    },
  };

  observe(): IngestObserver {
    return this.#observer;
  }

  runEnvironment(): Readonly<Record<string, string>> {
    return {};
  }

  /** How many transactions took at most this long, for each end of a bucket. */
  listCommitBuckets(): { readonly end: number; readonly count: number }[] {
    let sum = 0;
    return commitBuckets.map((end, at) => ({ end, count: (sum += this.#counts[at] ?? 0) }));
  }
}

/** Passes everything to both observers. */
export function combineObservers(
  counters: Counters,
  other: SessionsObserver | undefined,
): SessionsObserver {
  if (!other) return counters;
  return {
    observe(session) {
      const [first, second] = [counters.observe(), other.observe(session)];
      return {
        onLine: (...line) => second.onLine(...line),
        onBatch(times) {
          first.onBatch(times);
          second.onBatch(times);
        },
        onDropped(lines) {
          first.onDropped(lines);
          second.onDropped(lines);
        },
      };
    },
    runEnvironment: (run) => other.runEnvironment(run),
  };
}
