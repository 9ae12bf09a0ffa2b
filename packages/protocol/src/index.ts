/** What a program needs to read and write the messages of Claude Code. */
export { decode, type Decoded, type Message, type SystemMessage } from "./messages/decode.ts";
export {
  type LogMarker,
  logMarkers,
  type LogMarkerType,
  formatLogMarker,
  parseLogMarker,
} from "./messages/log-markers.ts";
export {
  readContextWindows,
  readPermissionMode,
  extractErrorMessage,
  readResultCostUsd,
  readResultError,
  readResultSessionId,
  readResultText,
  readResultTokens,
} from "./messages/result-fields.ts";
export { type Line, type FlawedLine, type LineFlaws, lineText } from "./framing/line.ts";
export { readLines } from "./framing/read-lines.ts";
export { SignalboxError, type FailureCode, type FailureData } from "./errors.ts";
export { parseObject, type JsonObject } from "./json.ts";
export { createTransportPair } from "./transport/memory.ts";
export type { Transport } from "./transport/transport.ts";
export type { CloseReason } from "./close-reason.ts";
