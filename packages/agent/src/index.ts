/** What a program needs to be an agent: the interface to implement, and what carries it. */
export type { ReconnectOptions, AgentOptions, PermissionMode } from "./command-line/options.ts";
export { exitOnSignals } from "./exit-on-signals.ts";
export { mergePrompts, hasHostUuid } from "./loop/prompt.ts";
export { runAgent } from "./run-agent.ts";
export {
  type DeferredCall,
  findDeferredCall,
  createDeferredCallMessage,
} from "./sessions/deferred-call.ts";
export { clampTimerMs } from "./clamp-timer.ts";
export { CLAUDE_CODE_VERSION } from "./version.ts";
export type {
  Agent,
  AgentFactory,
  AgentContext,
  SubagentTranscript,
  Prompt,
  ContentBlock,
  Turn,
  OutgoingMessage,
  StoredMessage,
  ResultSubtype,
  TurnResult,
  InitializeRequest,
  HostHooks,
  HostHookMatcher,
  AuthStatus,
  ControlRequest,
  AgentDescription,
  HostCallbacks,
  ElicitationResult,
  HookCallOptions,
  PermissionRequest,
  PermissionAnswer,
  CheckpointWriter,
} from "./agent.ts";
