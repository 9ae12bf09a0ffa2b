export { type Deferred, deferred } from "./deferred.ts";
export { SignalboxError, type FailureCode, type FailureData } from "./errors.ts";
export { type FlawedLine, type Line, type LineFlaws, lineText } from "./framing/line.ts";
export { DEFAULT_LINE_LIMIT, LineSplitter } from "./framing/line-splitter.ts";
export { lines } from "./framing/lines.ts";
export { isObject, isTooDeep, type JsonObject, MAX_DEPTH, parseObject } from "./json.ts";
export { type Decoded, decode, type Message, type SystemMessage } from "./messages/decode.ts";
export {
  type KeeperNote,
  keeperNotes,
  type KeeperNoteType,
  noteLine,
  readNote,
} from "./messages/notes.ts";
export { quickDelta } from "./messages/quick-delta.ts";
export { type ImageType, type PromptBlock, promptLine } from "./messages/prompt.ts";
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
  ALREADY_INITIALIZED,
  type Answer,
  answerLine,
  cancelLine,
  failureText,
  pendingRequests,
  readAnswer,
  Refusal,
  refusalLine,
  requestLine,
} from "./control/envelopes.ts";
export {
  type Asked,
  type Handler,
  Peer,
  type PeerOptions,
  type RequestOptions,
  type Role,
  type Stray,
} from "./control/peer.ts";
export {
  agentAsks,
  type AgentAsks,
  type AgentRequest,
  hostAsks,
  type HostAnswer,
  type HostAsks,
} from "./control/requests.ts";
export { transportPair } from "./transport/memory.ts";
export type { CloseReason, Transport } from "./transport/transport.ts";
export * from "./hub-api/index.ts";
