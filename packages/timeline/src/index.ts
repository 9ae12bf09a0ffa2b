export * from "./event.ts";
export { normalize, type NormalizeStep } from "./normalize/normalize.ts";
export {
  createNormalizeState,
  type LogLine,
  type NormalizeState,
  type Subagent,
} from "./normalize/state.ts";
export { findAskingSubagent } from "./normalize/asking-subagent.ts";
export { createReduceState, type ReduceState } from "./reduce/draft.ts";
export type { BackgroundWork, Item, ItemBody, ItemOfKind, WaitPeriod } from "./item.ts";
export { reduce, type ReduceStep } from "./reduce/reduce.ts";
export { type RunEndFacts, type RunningTask, type Summary } from "./reduce/summary.ts";
export { type MemoryPage, parsePage, formatPage } from "./id-memory.ts";
export { joinState, splitState } from "./split-state.ts";
export { growingText, isFinished, isGrowing, replaceGrowingText } from "./view/growing.ts";
export { collectUnfinishedBlocks } from "./unfinished-blocks.ts";
export { type TimelineStep, advance, createTimeline, type TimelineState } from "./timeline.ts";
export * from "./tools/index.ts";
