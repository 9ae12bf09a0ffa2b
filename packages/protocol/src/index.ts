export * from "./wire.ts";
export { type Decoded, decode, type Message, type SystemMessage } from "./messages/decode.ts";
export {
  type LogMarker,
  logMarkers,
  type LogMarkerType,
  formatLogMarker,
  parseLogMarker,
} from "./messages/log-markers.ts";
export { parseTextDelta } from "./messages/text-delta.ts";
export { looksLikeInit, findSessionId } from "./messages/raw-text.ts";
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
export {
  agentRequests,
  type AgentRequestSubtype,
  type AgentRequest,
  hostRequests,
  type HostAnswer,
  type HostRequestSubtype,
} from "./control/requests.ts";
