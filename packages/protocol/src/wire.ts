/**
 * The part of this package that reads and writes lines without any schemas, for programs that have
 * to start quickly.
 */
export { type Deferred, deferred } from "./deferred.ts";
export { SignalboxError, type FailureCode, type FailureData } from "./errors.ts";
export { FrameLines } from "./framing/frame-lines.ts";
export {
  type FlawedLine,
  type Line,
  type LineFlaws,
  lineText,
  escapeLineSeparators,
} from "./framing/line.ts";
export { DEFAULT_LINE_LIMIT, LineSplitter } from "./framing/line-splitter.ts";
export { readLines } from "./framing/read-lines.ts";
export { isObject, isTooDeep, type JsonObject, MAX_DEPTH, parseObject } from "./json.ts";
export { type ImageType, type PromptBlock, promptLine } from "./messages/prompt.ts";
export { joinContext, type PromptContext, splitContext } from "./messages/prompt-context.ts";
export {
  ALREADY_INITIALIZED,
  type ControlAnswer,
  answerLine,
  cancelLine,
  readPendingRequests,
  readAnswer,
  ControlRefusal,
  refusalLine,
  requestLine,
} from "./control/envelopes.ts";
export {
  type IncomingRequest,
  type AnswerSchema,
  type RequestHandler,
  Peer,
  type PeerOptions,
  type ControlRequestOptions,
  type LineRole,
  type StrayLine,
} from "./control/peer.ts";
export { createTransportPair } from "./transport/memory.ts";
export type { CloseReason } from "./close-reason.ts";
export type { Transport } from "./transport/transport.ts";
export { looksLikeInit, findSessionId } from "./messages/raw-text.ts";
export { parseTextDelta } from "./messages/text-delta.ts";
