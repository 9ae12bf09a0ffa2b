import { routeEntries, splitKey } from "@signalbox/api/routes";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";

/** One thing that somebody sends. */
export type Attack =
  | { kind: "request"; method: string; path: string; who: Who; headers: object; body: Sendable }
  | { kind: "frames"; inside: boolean; frames: Sendable[] }
  | { kind: "bytes"; bytes: Uint8Array };
export type Who = "admin" | "driver" | "viewer" | "nobody" | "liar";
export type Sendable = string | Uint8Array<ArrayBuffer>;

const ids = fc.oneof(fc.uuid(), fc.constantFrom("", "..", "%2e%2e", "%00", "x".repeat(600), "%ff"));
const keys =
  "__proto__ constructor prototype type session ticket hash decision behavior folder prompt text images policy confirmed mcpServers role name code received rev epoch challenge subtype fields";
const words = fc.constantFrom(...keys.split(" "));
const types = ["hello", "watch", "leave", "ack", "watch-board", "leave-board", "x", "", "allow"];
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue(),
    fc.string({ unit: "binary", maxLength: 100 }),
    fc.constantFrom<unknown>(
      ...types,
      "autonomous",
      "admin",
      -0,
      1e308,
      2 ** 53,
      "\u0000",
      "\ud800",
    ),
    fc.dictionary(words, tie("any"), { maxKeys: 6 }),
    fc.array(tie("any"), { maxLength: 4 }),
  ),
})).any;
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const bytes = fc.uint8Array({ maxLength: 500 }).map((piece) => Uint8Array.from(piece));
const text: fc.Arbitrary<Sendable> = fc.oneof(
  { weight: 8, arbitrary: value.map((each) => JSON.stringify(each) ?? "") },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  { weight: 2, arbitrary: bytes },
  { weight: 1, arbitrary: fc.constantFrom(65, 1000, 100_000, 500_000).map(nested) },
  { weight: 1, arbitrary: fc.constant(`{"type":"x","text":"${"x".repeat(1_100_000)}"}`) },
);

/** Ten megabytes of nothing in ten kilobytes. */
const bomb = Uint8Array.from(gzipSync(Buffer.alloc(10 * 1024 * 1024)));
const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ "content-encoding": "gzip" }) },
  { weight: 1, arbitrary: fc.constant({ "content-type": "text/plain" }) },
  { weight: 1, arbitrary: fc.constant({ origin: "http://[", "sec-fetch-site": "cross-site" }) },
);

const routes = routeEntries.map(([key]) => splitKey(key));
const request = fc
  .record({
    route: fc.constantFrom(...routes, { method: "GET", path: "/:any" }),
    id: ids,
    query: fc.oneof(
      fc.constant(""),
      fc.webQueryParameters().map((query) => `?${query}`),
    ),
    who: fc.constantFrom<Who>("admin", "driver", "viewer", "nobody", "liar"),
    headers,
    body: fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.constant(bomb) }),
  })
  .map(({ route, id, query, ...rest }): Attack => {
    const path = route.path.replaceAll(/:\w+/g, () => id) + query;
    return { kind: "request", method: route.method, path, ...rest };
  });

const frames = fc
  .record({ inside: fc.boolean(), frames: fc.array(text, { minLength: 1, maxLength: 4 }) })
  .map((sent): Attack => ({ kind: "frames", ...sent }));

const usualLines = [
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Extensions: permessage-deflate",
  "Host: evil",
  "Host: 127.0.0.1",
  "Content-Length: -1",
  "Transfer-Encoding: chunked",
  ": x",
];
const line = fc.oneof(
  fc.constantFrom(...usualLines),
  fc.string({ unit: "binary-ascii", maxLength: 60 }),
);
/** An upgrade, or what is left of one, and what might follow it on the wire. */
const raw = fc
  .record({
    path: fc.constantFrom("/api/stream", "/api/runner", "/ws", "/", "*", "/api/../api/stream"),
    lines: fc.array(line, { maxLength: 8 }),
    rest: bytes,
  })
  .map(({ path, lines, rest }): Attack => {
    const head = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    return { kind: "bytes", bytes: Buffer.concat([head, rest]) };
  });

export const attack: fc.Arbitrary<Attack> = fc.oneof(
  { weight: 5, arbitrary: request },
  { weight: 3, arbitrary: frames },
  { weight: 2, arbitrary: raw },
);
