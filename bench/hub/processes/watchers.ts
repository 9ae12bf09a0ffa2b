// So many clients in a process of their own. Prints what they have when the word comes.
// Arguments: count, then for the hub: "hub" url token session; for the relay: "relay" url.
import { type HubFrame, STREAM_PROTOCOL, TICKET_PROTOCOL } from "@signalbox/protocol";
import { createInterface } from "node:readline";

const [count = "1", kind, url = "", token = "", session = ""] = process.argv.slice(2);
let frames = 0;
let bytes = 0;
let live = 0;
/** Of the first client: the length of each text, to see that all arrived. */
const lengths = new Map<string, number>();

async function watchHub(first: boolean): Promise<void> {
  const answer = await fetch(new URL("/api/tickets", url), {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
  });
  const { ticket } = (await answer.json()) as { ticket: string };
  const socket = new WebSocket(new URL("/api/stream", url).href.replace("http", "ws"), [
    STREAM_PROTOCOL,
    TICKET_PROTOCOL + ticket,
  ]);
  let received = 0;
  let acknowledged = 0;
  socket.addEventListener("open", () => {
    socket.send(JSON.stringify({ type: "hello", version: 1 }));
    socket.send(JSON.stringify({ type: "watch", session }));
  });
  socket.addEventListener("message", ({ data }) => {
    const text = String(data);
    frames++;
    bytes += text.length;
    received += text.length;
    const frame = JSON.parse(text) as HubFrame;
    if (frame.type === "items" && !frame.more) live++;
    if (first) measure(frame);
    if (received - acknowledged < 16_384 && frame.type === "text") return;
    acknowledged = received;
    socket.send(JSON.stringify({ type: "ack", received }));
  });
}

function measure(frame: HubFrame): void {
  if (frame.type === "text") lengths.set(frame.item, frame.at + frame.text.length);
  if (frame.type !== "items") return;
  for (const item of frame.items) {
    const text = item["text"];
    const length =
      typeof text === "string"
        ? text.length
        : (text as { characters?: number } | undefined)?.characters;
    if (length !== undefined) lengths.set(item.id, length);
  }
}

function watchRelay(): void {
  const socket = new WebSocket(url);
  socket.addEventListener("message", ({ data }) => {
    frames++;
    bytes += String(data).length;
  });
  socket.addEventListener("open", () => live++);
}

for (let nth = 0; nth < Number(count); nth++) {
  if (kind === "hub") await watchHub(nth === 0);
  else watchRelay();
}
const lines = createInterface({ input: process.stdin });
lines.on("line", () => {
  const characters = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  console.log(JSON.stringify({ live, frames, bytes, items: lengths.size, characters }));
});
lines.on("close", () => process.exit(0));
console.log(JSON.stringify({ ready: true }));
