import type { ServerWebSocket } from "bun";

/** One WebSocket, as the server deals with it, whatever is spoken over it. */
export interface Conversation {
  opened(socket: Socket): void;
  received(text: string): void;
  /** `code`: of the WebSocket. */
  closed(code?: number): void;
  /** What waited to be sent on the socket has gone out. */
  drained?(): void;
  /** With every beat: says whether it may go on. */
  beat(): void;
  /** Pings without an answer. */
  unanswered: number;
}
export type Socket = ServerWebSocket<Conversation>;

/** How long a socket may take to say goodbye before it is cut. */
const GOODBYE = 1000;

export function closeSocket(socket: Socket, code: number, reason: string): void {
  socket.close(code, fitting(reason));
  setTimeout(() => socket.terminate(), GOODBYE).unref();
}

/** A close takes so many bytes for its reason, and no more. */
const REASON_BYTES = 123;
function fitting(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= REASON_BYTES) return reason;
  return bytes
    .subarray(0, REASON_BYTES)
    .toString()
    .replace(/\uFFFD+$/, "");
}
