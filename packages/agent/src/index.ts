export type * from "./agent.ts";
export {
  type ReconnectOptions,
  type InputFormat,
  type AgentOptions,
  type OutputFormat,
  type PermissionMode,
  permissionModes,
} from "./command-line/options.ts";
export { versionText } from "./command-line/help.ts";
export { type ParsedArguments, parseArguments } from "./command-line/parse-arguments.ts";
export { parseOptions } from "./command-line/parse-options.ts";
export { UsageError } from "./command-line/usage-error.ts";
export { exitOnSignals } from "./exit-on-signals.ts";
export { OutputQueue } from "./loop/output-queue.ts";
export { mergePrompts, hasHostUuid } from "./loop/prompt.ts";
export {
  type PermissionRuleDecision,
  createPermissionCallback,
  type PermissionCall,
} from "./peer/can-use-tool.ts";
export { runAgentWithArguments, type ConfirmStart, runAgent } from "./run-agent.ts";
export {
  type DeferredCall,
  findDeferredCall,
  createDeferredCallMessage,
} from "./sessions/deferred-call.ts";
export { toSingleLine } from "./terminal/screen-text.ts";
export type { StartDialog } from "./terminal/start-dialog.ts";
export { clampTimerMs } from "./clamp-timer.ts";
export { CLAUDE_CODE_VERSION } from "./version.ts";
