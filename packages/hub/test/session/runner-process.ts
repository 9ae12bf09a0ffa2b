import { type RunnerOptions, startRunner } from "@signalbox/runner";

/** A runner in a process of its own, which a test can kill. Its options come on standard input. */
await startRunner((await Bun.stdin.json()) as RunnerOptions);
