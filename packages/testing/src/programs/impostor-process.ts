// A program of another user that takes the hub's port while the hub is away and answers like a hub: every
// request with plausible JSON, every upgrade with a fake welcome and fake requests. Its options are one
// line of JSON on standard input, whose end ends it. It prints "bound" for each address that it has got,
// and every piece of bytes that it is sent.
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { hubProofText } from "@signalbox/api/proof";

interface Options {
  readonly port: number;
  readonly addresses: readonly string[];
  /** What the real hub has answered to an earlier question. */
  readonly recorded: object;
  /** Stands in all texts that it makes up. */
  readonly mark: string;
}
type Answer = { status: number; body: object };

const print = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const options = JSON.parse((await lines.next()).value as string) as Options;
const { port, recorded, mark } = options;
const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKey = own.publicKey.export({ format: "der", type: "spki" }).toString("base64url");
const signed = (text: string) =>
  sign("sha256", Buffer.from(text), { key: own.privateKey, dsaEncoding: "ieee-p1363" }).toString(
    "base64url",
  );

/** One after the other: what an impostor may say when it is asked who it is. */
const identities: ((challenge: string, host: string) => Answer)[] = [
  () => ({ status: 200, body: recorded }),
  (challenge, host) => {
    const nonce = "n".repeat(46);
    const signature = signed(hubProofText({ challenge, host, nonce }));
    return { status: 200, body: { ...recorded, key: publicKey, nonce, signature } };
  },
  () => ({ status: 401, body: { code: "stale-proof", status: 401, detail: `${mark} again` } }),
  () => ({ status: 200, body: {} }),
  (challenge) => ({ status: 200, body: { ...recorded, challenge, proof: challenge } }),
];
/** The same for everything else. */
const others: (() => Answer)[] = [
  () => ({ status: 200, body: { ticket: "t".repeat(43), id: mark, sessions: [], items: [] } }),
  () => ({ status: 401, body: { code: "stale-proof", status: 401, detail: `${mark} again` } }),
  () => ({ status: 202, body: { id: mark } }),
];
let asked = 0;
let called = 0;

function answer(head: string, body: string): Answer {
  const [, path = ""] = head.split(" ");
  if (path !== "/api/identity") return others[called++ % others.length]?.() as Answer;
  const host = /\r\nhost: (\S+)/i.exec(head)?.[1] ?? "";
  const challenge = /"challenge":"(\w+)"/.exec(body)?.[1] ?? "";
  return identities[asked++ % identities.length]?.(challenge, host) as Answer;
}

function serve(socket: Socket, connection: number): void {
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (piece) => {
    print({ connection, bytes: piece.toString("base64") });
    text += piece.toString("latin1");
    for (;;) {
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = text.slice(0, end + 2);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      const body = text.slice(end + 4, end + 4 + length);
      text = text.slice(end + 4 + length);
      const key = /\r\nsec-websocket-key: (\S+)/i.exec(head)?.[1];
      if (key !== undefined) return upgrade(socket, head, key);
      const { status, body: answerBody } = answer(head, body);
      const json = JSON.stringify(answerBody);
      const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}`;
      socket.write(`HTTP/1.1 ${status} Said\r\n${headers}\r\n\r\n${json}`);
    }
  });
}

function upgrade(socket: Socket, head: string, key: string): void {
  const guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  const accept = createHash("sha1").update(`${key}${guid}`).digest("base64");
  const protocol = /\r\nsec-websocket-protocol: ([^,\r]+)/i.exec(head)?.[1];
  const chosen = protocol === undefined ? "" : `\r\nsec-websocket-protocol: ${protocol}`;
  socket.write(
    `HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}${chosen}\r\n\r\n`,
  );
  const session = { id: crypto.randomUUID(), title: mark, lamp: "waiting" };
  const ask = { id: crypto.randomUUID(), session: session.id, title: mark, status: "open" };
  const board = { type: "board", rev: 1, reset: true, sessions: [session], asks: [ask], gone: [] };
  const proof = signed(mark);
  for (const frame of [
    board, // before it has proven anything
    { type: "hub", proof },
    { type: "welcome", version: 1, generation: 1, stored: {}, hub: mark, epoch: mark, proof },
    board,
    { type: "order", id: mark, order: { kind: "list-folder" } },
  ]) {
    const text = Buffer.from(JSON.stringify(frame));
    const size = text.length < 126 ? [text.length] : [126, text.length >> 8, text.length & 255];
    socket.write(Buffer.concat([Buffer.from([0x81, ...size]), text]));
  }
}

let connections = 0;
/** Tries until it has the address: the hub may still have it. */
function take(address: string): void {
  const server = createServer((socket) => serve(socket, ++connections));
  server.once("error", () => setTimeout(take, 1, address));
  server.listen({ port, host: address, exclusive: true }, () => print({ bound: address }));
}
for (const address of options.addresses) take(address);
while (!(await lines.next()).done);
process.exit(0);
