import type { ServerWebSocket } from "bun";

/** One WebSocket, as the server deals with it, whatever is spoken over it. */
export interface SocketHandler {
  onOpen(socket: Socket): void;
  onMessage(text: string): void;
  /** `code`: of the WebSocket. */
  onClose(code?: number): void;
  /** What waited to be sent on the socket has gone out. */
  onDrain?(): void;
  /** With every beat: says whether it may go on. */
  onHeartbeat(): void;
  /** Pings without an answer. */
  unansweredPings: number;
}
export type Socket = ServerWebSocket<SocketHandler>;

/** How long a socket may take to say goodbye before it is cut. */
const CLOSE_TIMEOUT_MS = 1000;

export function closeSocket(socket: Socket, code: number, reason: string): void {
  socket.close(code, truncateReason(reason));
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
}

/** A close takes so many bytes for its reason, and no more. */
const MAX_REASON_BYTES = 123;
function truncateReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return bytes
    .subarray(0, MAX_REASON_BYTES)
    .toString()
    .replace(/\uFFFD+$/, "");
}
