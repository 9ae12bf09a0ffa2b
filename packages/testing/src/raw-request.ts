import { connect } from "node:net";

/** Sends bytes that no HTTP client would send, and returns the head of the answer. */
export function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let got = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      got += piece;
      if (got.includes("\r\n\r\n")) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(got));
  });
}
