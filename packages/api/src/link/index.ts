export { LINK_PATH, LINK_PROTOCOL, LINK_VERSION } from "../constants.ts";
export {
  CHUNK,
  frameText,
  isAck,
  isLines,
  type LineSource,
  lineSource,
  readFrame,
  type ToHub,
  type FrameToHubOfType,
  type FrameToRunnerOfType,
  toHub,
  type ToRunner,
  toRunner,
} from "./frames.ts";
export { type Order, order, type OrderOfKind } from "./orders.ts";
export { type FolderOrder, type FolderOrderOfKind, isFolderOrder } from "./folder-orders.ts";
