export { LINK_PATH, LINK_PROTOCOL, LINK_VERSION } from "../constants.ts";
export {
  CHUNK,
  formatFrame,
  isAck,
  isLines,
  type LineSource,
  lineSource,
  parseFrame,
  type FrameToHub,
  type FrameToHubOfType,
  type FrameToRunnerOfType,
  frameToHub,
  type FrameToRunner,
  frameToRunner,
} from "./frames.ts";
export { type Order, order, type OrderOfKind } from "./orders.ts";
export { type FolderOrder, type FolderOrderOfKind, isFolderOrder } from "./folder-orders.ts";
export { type ListedTranscript, type TranscriptList, transcriptList } from "./transcript-orders.ts";
