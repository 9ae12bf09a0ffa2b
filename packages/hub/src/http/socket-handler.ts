import type { ServerWebSocket } from "bun";

/** Handles the events of one WebSocket, whatever protocol is spoken over it. */
export interface SocketHandler {
  onOpen(socket: Socket): void;
  onMessage(text: string): void;
  /** `code` is the WebSocket's close code. */
  onClose(code?: number): void;
  /** Called when everything that waited to be sent has left this process. */
  onDrain?(): void;
  /** Called at every heartbeat: closes the socket if its credential no longer holds. */
  onHeartbeat(): void;
  /** How many pings in a row have had no answer. */
  unansweredPings: number;
}
export type Socket = ServerWebSocket<SocketHandler>;

/** How long a peer may take to complete the close before its connection is cut. */
const CLOSE_TIMEOUT_MS = 1000;

export function closeSocket(socket: Socket, code: number, reason: string): void {
  socket.close(code, truncateReason(reason));
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
}

/** The most bytes that a close frame can hold as its reason. */
const MAX_REASON_BYTES = 123;
function truncateReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return bytes
    .subarray(0, MAX_REASON_BYTES)
    .toString()
    .replace(/\uFFFD+$/, "");
}
