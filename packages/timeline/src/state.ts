/** How a store keeps the state of a timeline in parts, and what it can read out of it. */
export { joinState, splitState } from "./split-state.ts";
export { type IdPage, parseIdPage, formatIdPage } from "./recent-ids.ts";
export { collectUnfinishedBlocks } from "./unfinished-blocks.ts";
export { findAskingSubagent } from "./normalize/asking-subagent.ts";
export type { Subagent } from "./normalize/state.ts";
