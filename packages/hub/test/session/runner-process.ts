import { type RunnerOptions, startRunner } from "@signalbox/runner";
import { provenOptions } from "@signalbox/testing/proving-hub";

/** A runner in a process of its own, which a test can kill. Its options come on standard input. */
const { proven, keyText, ...options } = (await Bun.stdin.json()) as Omit<
  RunnerOptions,
  "hub" | "key"
> &
  Parameters<typeof provenOptions>[0];
await startRunner({ ...options, ...provenOptions({ proven, keyText }) });
