export * from "./event.ts";
export { normalize } from "./normalize/normalize.ts";
export { initialState, type LogLine, type NormalizeState } from "./normalize/state.ts";
export type { Step } from "./normalize/step.ts";
export type { Item, ItemBody, ItemOf } from "./reduce/item.ts";
export { initialReduceState, reduce, type Reduced, type ReduceState } from "./reduce/reduce.ts";
export { type Summary } from "./reduce/summary.ts";
export { type Advance, advance, initialTimeline, type TimelineState } from "./timeline.ts";
export * from "./tools/index.ts";
