import { expect, setDefaultTimeout, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { authorization } from "@signalbox/testing/signed-requests";
import { openStream } from "../http/stage.ts";
import { fuzz, MAX_MB, openHub, stillServes } from "./fuzz.ts";

setDefaultTimeout(180_000);

test("[HH25] whatever is sent to any door, the hub answers, does not grow, and lets in whoever may come in", async () => {
  const { attacks } = await fuzz(Number(process.env["SEED"] ?? 27), (done) => done < 600);
  expect(attacks).toBe(600);
});

test("[HH25] bombs and JSON nested a million deep end in a clean close, and in no memory", async () => {
  await using hub = await openHub();
  const nested = "[".repeat(1_000_000);
  const deep = `{"type":"x","deep":${nested.slice(0, 500_000)}${"]".repeat(500_000)}}`;
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(100 * 1024 * 1024)));
  const post = async (
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    more: Record<string, string> = {},
  ) => {
    const headers = {
      authorization: await authorization(
        hub.url,
        hub.tokens.admin,
        "POST",
        path,
        typeof body === "string" ? body : "",
      ),
      "content-type": "application/json",
    };
    const command = { "signalbox-command": crypto.randomUUID() };
    const all = { ...headers, ...command, ...more };
    return (await fetch(hub.url + path, { method: "POST", headers: all, body })).status;
  };
  const round = async () => {
    expect(await post("/api/sessions", `${nested}${"]".repeat(1_000_000)}`)).toBe(400);
    expect(await post("/api/sessions", nested)).toBe(400);
    expect(await post("/api/sessions", bomb, { "content-encoding": "gzip" })).toBeOneOf([400, 415]);
    for (const inside of [true, false]) {
      for (const text of [deep, nested]) {
        using stream = openStream(hub.url, await hub.ticket());
        await stream.opened;
        if (inside) {
          stream.send({ type: "hello", version: 1 });
          await stream.frame("welcome");
        }
        stream.socket.send(text);
        expect((await stream.closed).code).toBe(inside ? 4400 : 1009);
      }
    }
  };
  await round();
  const before = hub.rssMb();
  for (let nth = 0; nth < 5; nth += 1) await round();
  await stillServes(hub);
  expect(hub.rssMb() - before).toBeLessThan(MAX_MB);
});

test("[HH25] nothing is compressed: a socket that offers to is not taken up on it", async () => {
  await using hub = await openHub();
  const headers = { "sec-websocket-extensions": "permessage-deflate" };
  using stream = openStream(hub.url, await hub.ticket(), headers);
  await stream.opened;
  expect(stream.socket.extensions).toBe("");
});
