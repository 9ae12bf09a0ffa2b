/** The public API: start agents and answer their requests. */
export type { Launch, McpServerConfig } from "./launch/launch.ts";
export type { RunEnd } from "./launch/run-end.ts";
export type { CreateDriver, DriverContext, DriverDescription } from "./drivers/driver-registry.ts";
export type {
  AgentTerminal,
  ShownTerminal,
  TerminalAnswer,
  Typist,
} from "./launch/agent-terminal.ts";
export type { AgentFacts, Capabilities, Driver, UnsupportedOption, Run } from "./launch/driver.ts";
export { stdioDriver, type StdioOptions } from "./drivers/stdio/stdio.ts";
export { sdkDriver } from "./drivers/sdk/sdk.ts";
export { sdkUrlDriver } from "./drivers/sdk-url/sdk-url.ts";
export { Host } from "./control/host.ts";
export { Turn, type TurnEnd, type HostTurnOptions } from "./control/turn.ts";
export type { Decide, HostOptions } from "./control/options.ts";
export type { LineObserver } from "./control/observer.ts";
export {
  type Ask,
  type Decision,
  needsPerson,
  type AskQuestion,
  type RuleSuggestion,
} from "./control/ask.ts";
export type { Hook, HookInput, HookOutput } from "./control/hooks.ts";
export type { InProcessMcpServer } from "./control/in-process-mcp.ts";
export { policies, type Policy } from "./control/policy.ts";
export type { PromptImage, Prompt } from "./control/prompt.ts";
export type { CallCheckOptions, UnexpectedCall } from "./control/call-check.ts";
