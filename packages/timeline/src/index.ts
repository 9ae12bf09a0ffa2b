export * from "./event.ts";
export { normalize, type Step } from "./normalize/normalize.ts";
export {
  initialState,
  type LogLine,
  type NormalizeState,
  type Subagent,
} from "./normalize/state.ts";
export { subagentBehind } from "./normalize/who-asks.ts";
export { initialReduceState, type ReduceState } from "./reduce/draft.ts";
export type { BackgroundWork, Item, ItemBody, ItemOf, Wait } from "./item.ts";
export { reduce, type Reduced } from "./reduce/reduce.ts";
export { type RunEndFacts, type RunningTask, type Summary } from "./reduce/summary.ts";
export { type Page, pageOf, pageText } from "./memory.ts";
export { join, part } from "./stored.ts";
export { growingText, isFinished, isGrowing, replaceGrowingText } from "./view/growing.ts";
export { openText } from "./open-text.ts";
export { type Advance, advance, initialTimeline, type TimelineState } from "./timeline.ts";
export * from "./tools/index.ts";
