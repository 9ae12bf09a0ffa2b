export * from "../tool-payload/payload.ts";
export type { Hunk } from "../diff/hunk.ts";
export { describeCall } from "./call.ts";
export { describeResult } from "./result.ts";
export { toolTitle } from "./title.ts";
export { findToolKind, mcpName } from "../tool-payload/tool-kinds.ts";
export { type DiffLine, diffLines } from "../diff/line-diff.ts";
export { createPatch } from "../diff/patch.ts";
export { formatUnifiedDiff } from "../diff/unified.ts";
