import { routeEntries, splitKey } from "@signalbox/api/routes";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { ReadServices } from "../../src/http/route.ts";
import { type TestServer, openTestServer } from "./stage.ts";

let testServer: TestServer;
let folder: string;
const scriptHash = `sha256-${createHash("sha256").update("1").digest("base64")}`;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-page-"));
  await mkdir(join(folder, "assets"));
  const page = {
    "index.html": "<p>page",
    "assets/index-abc.js": "1",
    "favicon.svg": "<svg/>",
    "diagram.html": "<script>1</script>",
    "other.html": "<script>1</script>",
  };
  const types = { html: "text/html; charset=utf-8", js: "text/javascript", svg: "image/svg+xml" };
  const files = Object.entries(page).map(([path, text]) => ({
    path,
    type: types[path.split(".").at(-1) as keyof typeof types],
    bytes: text.length,
    hash: createHash("sha256").update(text).digest("base64"),
    immutable: path.startsWith("assets/"),
    ...(path.endsWith(".html") && { scripts: [scriptHash] }),
    ...(path.endsWith(".js") && { encodings: ["br", "gz"] }),
  }));
  await Bun.write(join(folder, "assets/index-abc.js.br"), brotliCompressSync("1"));
  await Bun.write(join(folder, "assets/index-abc.js.gz"), gzipSync("1"));
  for (const [path, text] of Object.entries(page)) await Bun.write(join(folder, path), text);
  await Bun.write(join(folder, "files.json"), JSON.stringify(files));
  await Bun.write(join(folder, "unlisted.txt"), "secret");
  await symlink("/etc/passwd", join(folder, "assets", "passwd"));
  testServer = await openTestServer({ page: folder });
});
afterAll(async () => {
  await testServer[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types signalbox";

describe("headers", () => {
  test("[HH5] every answer carries exactly this policy, and nothing that lets other origins in", async () => {
    const token = await testServer.tokenOf("admin");
    const routes = routeEntries
      .map(([key]) => splitKey(key))
      .map(({ method, path }) => ({
        method,
        path: path.replace(":hash", "0".repeat(64)).replaceAll(/:\w+/g, () => randomUUID()),
      }));
    const others = [
      "/",
      "/s/x",
      "/health",
      "/assets/index-abc.js",
      "/other.html",
      "/no.txt",
      "/api/nothing",
    ];
    for (const { method, path } of [
      ...routes,
      ...others.map((path) => ({ method: "GET", path })),
      { method: "POST", path: "/" },
      { method: "OPTIONS", path: "/api/sessions" },
    ]) {
      for (const asked of [{ token }, {}, { headers: { origin: "http://evil.test" } }]) {
        const { headers } = await testServer.ask(method, path, asked);
        expect(headers.get("content-security-policy")).toBe(policy);
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(headers.get("referrer-policy")).toBe("no-referrer");
        expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
        expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
        expect(headers.get("x-frame-options")).toBe("DENY");
        expect(headers.has("cache-control")).toBe(true);
        const names = [...headers.keys()];
        expect(names.filter((name) => /^access-control|^set-cookie/.test(name))).toEqual([]);
      }
    }
  });

  test("[HH5] one file may stand in a frame of ours: without an origin, and with its own scripts alone", async () => {
    const whole = await testServer.ask("GET", "/diagram.html");
    const etag = whole.headers.get("etag") ?? "";
    const kept = await testServer.ask("GET", "/diagram.html", {
      headers: { "if-none-match": etag },
    });
    expect([whole.status, kept.status]).toEqual([200, 304]);
    for (const { headers } of [whole, kept]) {
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
      );
      expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe("no-cache");
    }
  });

  test("[HH5] what serves a GET is handed nothing that changes anything, and calls nothing that does", async () => {
    const changes = ({ engine, store, access }: ReadServices) => [
      // @ts-expect-error: whoever asks for this in a GET is told by the compiler
      engine.prompts.send,
      // @ts-expect-error: likewise
      engine.asks.answer,
      // @ts-expect-error: likewise
      store.commit,
      // @ts-expect-error: likewise
      access.devices.revoke,
    ];
    expect(changes).toBeFunction();
    const token = await testServer.tokenOf("admin");
    const before = await testServer.store.audit();
    testServer.calls.length = 0;
    for (const { method, path } of routeEntries.map(([key]) => splitKey(key))) {
      if (method !== "GET") continue;
      const place = path.replace(":hash", "0".repeat(64)).replaceAll(/:\w+/g, () => randomUUID());
      for (const method of ["GET", "HEAD"]) await testServer.ask(method, place, { token });
    }
    // The types keep everything else from a GET; this finds a change with the name of a read.
    const reads = /\.(?:list|get|is|find|inspect|read)(?:[A-Z]\w*)?$/;
    const called = new Set(testServer.calls.map(({ name }) => name));
    expect(called.size).toBeGreaterThan(5);
    expect([...called].filter((name) => !reads.test(name))).toEqual([]);
    expect(await testServer.store.audit()).toEqual(before);
  });

  test("[HH5] answers of the API are not kept", async () => {
    const token = await testServer.tokenOf("viewer");
    const { headers } = await testServer.ask("GET", "/api/hub", { token });
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("the page", () => {
  test("[HH6] what the list names is served, with its type, and kept only where the name tells the content", async () => {
    const start = await testServer.ask("GET", "/");
    expect(await start.text()).toBe("<p>page");
    expect(start.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(start.headers.get("cache-control")).toBe("no-cache");
    const script = await testServer.ask("GET", "/assets/index-abc.js");
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(script.headers.get("content-type")).toBe("text/javascript");
    const etag = start.headers.get("etag") ?? "";
    const again = await testServer.ask("GET", "/", { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["*", "br"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["identity", null],
    ["", null],
  ])(
    "[HH6] to who accepts %p a file goes as %p, under a name of its own",
    async (accepts, form) => {
      const ask = (more: Record<string, string>) =>
        testServer.ask("GET", "/assets/index-abc.js", {
          headers: { "accept-encoding": accepts, ...more },
        });
      const script = await ask({});
      const { headers } = script;
      expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([
        form,
        "accept-encoding",
      ]);
      expect(await script.text()).toBe("1"); // fetch opens it again
      const etag = headers.get("etag") ?? "";
      expect(/-(br|gz)"$/.exec(etag)?.[1]).toBe(form === null ? undefined : form.slice(0, 2));
      expect((await ask({ "if-none-match": etag })).status).toBe(304);
      expect((await ask({ "if-none-match": etag.replace('"', '"x') })).status).toBe(200);
    },
  );

  test("[HH6] places in the page give the page; other files are not there", async () => {
    for (const path of ["/s/0b7e", "/devices", "/s/a/b"]) {
      expect(await (await testServer.ask("GET", path)).text()).toBe("<p>page");
    }
    for (const path of [
      "/unlisted.txt",
      "/files.json",
      "/assets/passwd.x",
      "/..%2f..%2fetc%2fpasswd.x",
      "/assets/..%2ffiles.json",
      "/%2e%2e/files.json",
    ]) {
      expect([path, (await testServer.ask("GET", path)).status]).toEqual([path, 404]);
    }
    expect(await (await testServer.ask("GET", "/assets/passwd")).text()).toBe("<p>page");
    expect((await testServer.ask("POST", "/")).status).toBe(405);
  });

  test("[HH6] without a built page the hub says what to do", async () => {
    await using bare = await openTestServer();
    const response = await bare.ask("GET", "/");
    expect(await response.text()).toContain("its page is not built");
    expect(response.status).toBe(200);
  });
});
