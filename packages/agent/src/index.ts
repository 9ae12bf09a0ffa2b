export type * from "./agent.ts";
export {
  type InputFormat,
  type Options,
  type OutputFormat,
  type PermissionMode,
  permissionModes,
} from "./command-line/options.ts";
export { OutputQueue } from "./loop/output-queue.ts";
export { type LocalDecision, permissionCallback, type ToolCall } from "./peer/can-use-tool.ts";
export { type Admit, agentMain, runAgent } from "./run-agent.ts";
export { type Input, openTransport } from "./transport/open-transport.ts";
export { stdioTransport } from "./transport/stdio.ts";
export { type WebSocketOptions, webSocketTransport } from "./transport/websocket.ts";
export { SPOKEN_VERSION } from "./version.ts";
