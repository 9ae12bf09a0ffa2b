export * from "./wire.ts";
export { type Decoded, decode, type Message, type SystemMessage } from "./messages/decode.ts";
export {
  type KeeperNote,
  keeperNotes,
  type KeeperNoteType,
  noteLine,
  readNote,
} from "./messages/notes.ts";
export { quickDelta } from "./messages/quick-delta.ts";
export { looksLikeInit, sessionIdInText } from "./messages/raw-text.ts";
export {
  contextWindows,
  permissionMode,
  plainError,
  resultCostUsd,
  resultError,
  resultSessionId,
  resultText,
  resultTokens,
} from "./messages/spellings.ts";
export {
  agentAsks,
  type AgentAsks,
  type AgentRequest,
  hostAsks,
  type HostAnswer,
  type HostAsks,
} from "./control/requests.ts";
