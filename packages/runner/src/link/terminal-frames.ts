import type { FrameToHubOfType, FrameToRunnerOfType } from "@signalbox/api/link";

/** The frames of the link that concern terminals. */
export type TerminalFrameToHub = FrameToHubOfType<
  "terminals" | "terminal-snapshot" | "terminal-output" | "terminal-size"
>;
export type TerminalFrameToRunner = FrameToRunnerOfType<
  "terminal-watch" | "terminal-leave" | "terminal-ack" | "terminal-input" | "terminal-resize"
>;
