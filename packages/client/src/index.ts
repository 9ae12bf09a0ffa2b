export type { AskView, HubFrame, Problem, QueuedPrompt } from "@signalbox/protocol";
export type { Item, Summary } from "@signalbox/timeline";
