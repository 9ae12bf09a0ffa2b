export type * from "./agent.ts";
export {
  type Dialling,
  type InputFormat,
  type Options,
  type OutputFormat,
  type PermissionMode,
  permissionModes,
} from "./command-line/options.ts";
export { versionText } from "./command-line/help.ts";
export { type Arguments, readArguments } from "./command-line/read-arguments.ts";
export { readOptions } from "./command-line/read-options.ts";
export { UsageError } from "./command-line/usage-error.ts";
export { leaveBySignal } from "./leave-by-signal.ts";
export { OutputQueue } from "./loop/output-queue.ts";
export { asOne, isNamed } from "./loop/prompt.ts";
export { type LocalDecision, permissionCallback, type ToolCall } from "./peer/can-use-tool.ts";
export { agentMain, type ConfirmStart, runAgent } from "./run-agent.ts";
export { type DeferredCall, deferredIn, deferredLine } from "./sessions/deferred-call.ts";
export { oneLine } from "./terminal/screen-text.ts";
export type { StartDialog } from "./terminal/start-dialog.ts";
export { timerMs } from "./timer-ms.ts";
export { SPOKEN_VERSION } from "./version.ts";
