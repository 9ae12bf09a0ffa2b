export {
  type TransportInput,
  openTransport,
  type TransportOptions,
} from "./transport/open-transport.ts";
export { stdioTransport } from "./transport/stdio.ts";
export { type WebSocketOptions, webSocketTransport } from "./transport/websocket.ts";
