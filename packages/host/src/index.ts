export { type Launch, type McpServerConfig } from "./launch/launch.ts";
export { toRunEnd, launchFailed, type RunEnd, runEnd } from "./launch/run-end.ts";
export {
  type AgentFacts,
  type Capabilities,
  type Driver,
  driverNames,
  type UnsupportedOption,
  type Run,
} from "./launch/driver.ts";
export { listUnsupportedFields, type UnsupportedField } from "./drivers/stdio/options.ts";
export { stdioDriver, type StdioOptions } from "./drivers/stdio/stdio.ts";
export { sdkDriver } from "./drivers/sdk/sdk.ts";
export { sdkUrlDriver } from "./drivers/sdk-url/sdk-url.ts";
export { Host } from "./control/host.ts";
export { type Turn, type TurnEnd, type TurnOptions } from "./control/turn.ts";
export { type Decide, type HostOptions } from "./control/options.ts";
export { type LineObserver } from "./control/observer.ts";
export {
  type Ask,
  type Decision,
  needsPerson,
  type Question,
  type Suggestion,
} from "./control/ask.ts";
export { type Hook, type HookInput, type HookOutput } from "./control/hooks.ts";
export { type InProcessMcpServer } from "./control/in-process-mcp.ts";
export { policies, type Policy } from "./control/policy.ts";
export { type Image, type Prompt } from "./control/prompt.ts";
export { type CallCheckOptions, type CallMark } from "./control/call-check.ts";
