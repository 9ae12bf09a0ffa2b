// So many clients in a process of their own. Prints what they have when the word comes.
// Arguments: count, then for the hub: "hub" url token session; for the relay: "relay" url.
import { authorization } from "@signalbox/testing/signed-requests";
import type { HubFrame } from "@signalbox/api";
import { STREAM_PROTOCOL, TICKET_PROTOCOL } from "@signalbox/api/constants";
import { createInterface } from "node:readline";

const [count = "1", kind, url = "", token = "", session = ""] = process.argv.slice(2);
let frames = 0;
let bytes = 0;
let live = 0;
/** The newest text that each client of the hub has, with its length: to see that all arrived. */
const newest: string[] = [];

async function watchHub(nth: number): Promise<void> {
  const answer = await fetch(new URL("/api/tickets", url), {
    method: "POST",
    headers: { Authorization: await authorization(url, token, "POST", "/api/tickets") },
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
    newest[nth] = newestIn(frame) ?? newest[nth] ?? "";
    if (received - acknowledged < 16_384 && frame.type === "text") return;
    acknowledged = received;
    socket.send(JSON.stringify({ type: "ack", received }));
  });
}

/** In a long session items have their place in their ids. */
const named = (id: string) => id.replace(/~\d+$/, "");

function newestIn(frame: HubFrame): string | undefined {
  if (frame.type === "text") return `${named(frame.item)} ${frame.at + frame.text.length}`;
  if (frame.type !== "items") return undefined;
  const last = frame.items.findLast(({ kind }) => kind === "text");
  const text = (last && "text" in last ? last.text : undefined) as
    | string
    | { characters: number }
    | undefined;
  if (!last || text === undefined) return undefined;
  return `${named(last.id)} ${typeof text === "string" ? text.length : text.characters}`;
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
  if (kind === "hub") await watchHub(nth);
  else watchRelay();
}
const lines = createInterface({ input: process.stdin });
lines.on("line", () => {
  console.log(JSON.stringify({ live, frames, bytes, newest: [...new Set(newest)] }));
});
lines.on("close", () => process.exit(0));
console.log(JSON.stringify({ ready: true }));
