/** What a program needs to run a runner. */
export { type Runner, type RunnerOptions, startRunner, stopOnSignals } from "./runner.ts";
export { type HubLocation, locateHub, type VerifiedHub } from "./link/locate-hub.ts";
export type { BufferLimits } from "./link/session-buffer.ts";
