/** What a program needs to turn the lines of a session into what a person sees. */
export { createTimeline, advance, type TimelineState, type TimelineStep } from "./timeline.ts";
export type { LogLine } from "./normalize/state.ts";
export type { Item, ItemBody, ItemOfKind, BackgroundWork, WaitPeriod } from "./item.ts";
export type { Summary, RunEndFacts, RunningTask } from "./reduce/summary.ts";
export type { TimelineEvent, TurnOutcome, ToolStatus, ContentPart, ContextUse } from "./event.ts";
export type {
  ToolPayload,
  ToolKind,
  PayloadOfKind,
  ToolResult,
  Mutation,
  TodoInput,
  ToolQuestion,
} from "./tool-payload/payload.ts";
