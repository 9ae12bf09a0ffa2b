export * from "./payload.ts";
export { describeCall } from "./call.ts";
export { describeResult } from "./result.ts";
export { toolTitle } from "./title.ts";
export { kindOfTool, mcpName } from "./kinds.ts";
export { patchBetween } from "./diff/patch.ts";
export { unified } from "./diff/unified.ts";
