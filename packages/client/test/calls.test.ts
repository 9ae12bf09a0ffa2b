import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { verifyHubIdentity, connect, HubError, pairDevice } from "@signalbox/client";
import { hubProofText } from "@signalbox/api/proof";
import { createSigningKey } from "@signalbox/runner/keys";
import { Clock } from "@signalbox/testing/clock";
import { until } from "@signalbox/testing/until";
import { Caller } from "../src/http/caller.ts";
import { SESSION } from "./items.ts";
import { HUB, problem, scriptedHub, TOKEN } from "./scripted-hub.ts";

setDefaultTimeout(180_000);

const quick = { firstRetryMs: 1, mostRetryMs: 2 };
const open = (url: string, tries = 5) => connect({ url, token: TOKEN, timing: quick, tries });
const getFailure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (failure: unknown) => failure,
  );

describe("commands", () => {
  test("[CL15] a command whose answer was lost is sent again with the same id, and runs once", async () => {
    await using hub = scriptedHub();
    const ran = new Set<string | null>();
    let answers = 0;
    hub.on(`POST /api/sessions/${SESSION}/prompts`, ({ command }) => {
      ran.add(command);
      return ++answers < 4 ? "lost" : Response.json({ id: command }, { status: 202 });
    });
    const queued = await open(hub.url).send(SESSION, { text: "hello" });
    expect([...ran]).toEqual([queued.id]);
    expect(hub.calls.map(({ body }) => body)).toEqual(
      Array.from({ length: 4 }, () => ({ text: "hello" })),
    );
  });

  test("[CL15] a call is repeated while the hub cannot be reached", async () => {
    const first = scriptedHub();
    await first.stop();
    const sent = open(first.url, 1_000).interrupt(SESSION);
    await using hub = scriptedHub(first.port);
    hub.on(`POST /api/sessions/${SESSION}/interrupt`, () => new Response(null, { status: 204 }));
    await sent;
    expect(new Set(hub.calls.map(({ command }) => command)).size).toBe(1);
  });

  test("[CL15] [CL16] a refusal is reported unchanged, and the call is not repeated", async () => {
    await using hub = scriptedHub();
    const detail = "Somebody else has answered.";
    hub.on("POST /api/asks/a/answer", () => problem(409, "already-answered", detail));
    const answer = { hash: "0".repeat(64), decision: { behavior: "allow" as const } };
    const failure = await getFailure(open(hub.url).answer("a", answer));
    expect(HubError.is(failure, "already-answered")).toBe(true);
    expect(failure).toMatchObject({ status: 409, detail, message: detail });
    expect(hub.calls).toHaveLength(1);
  });

  test("[CL15] the timeout does not run out while the request is still being sent, but there is a limit", async () => {
    using clock = new Clock();
    const answerMs = 86_400_001;
    const body = { text: "an image" };
    const firstMs = answerMs + JSON.stringify(body).length / 16; // This is the time that a slow connection needs.
    const sending: { moves: () => void; arrives: () => void }[] = [];
    const caller = new Caller({
      url: () => "http://hub.test",
      credentials: { get: () => ({ token: TOKEN }) },
      tries: 1,
      backoff: { firstMs: 1, maxMs: 1 },
      answerMs,
      fetch: (_, { signal, onSent }) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
          const arrives = () => resolve(Response.json({ arrived: true }));
          sending.push({ moves: () => onSent?.(), arrives });
        }),
    });
    const request = { method: "POST", path: "/api/x", body };
    const moving = caller.json<object>(request);
    await until("it is being sent", () => sending.length === 1);
    expect(clock.pending(firstMs)).toHaveLength(1);
    for (let step = 0; step < 3; step++) {
      const before = clock.pending(answerMs);
      sending[0]?.moves();
      expect(clock.pending(firstMs)).toEqual([]);
      expect(clock.pending(answerMs)).toHaveLength(1);
      expect(clock.pending(answerMs)).not.toEqual(before);
    }
    sending[0]?.arrives();
    expect(await moving).toEqual({ arrived: true });
    const stuck = getFailure(caller.json(request));
    await until("it is being sent", () => sending.length === 2);
    clock.pending(firstMs).at(-1)?.();
    expect(HubError.is(await stuck, "unreachable")).toBe(true);
  });

  test("each has its own id, or the one it is given", async () => {
    await using hub = scriptedHub();
    hub.on(`POST /api/sessions/${SESSION}/wake`, () => Response.json({}));
    const client = open(hub.url);
    await client.wake(SESSION);
    await client.wake(SESSION);
    await client.wake(SESSION, { command: "mine" });
    const ids = hub.calls.map(({ command }) => command);
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe("mine");
  });
});

describe("answers", () => {
  test("[CL16] a hub that does not listen is reported as unreachable", async () => {
    const hub = scriptedHub();
    await hub.stop();
    const failure = await getFailure(open(hub.url, 2).sessions());
    expect(failure).toMatchObject({ code: "unreachable", status: 0 });
    expect(String(failure)).toContain(hub.url);
  });

  test("[CL16] an error that is not a problem document, and an answer that is not JSON, are reported as such", async () => {
    await using hub = scriptedHub();
    hub.on("GET /api/asks", () => new Response("<h1>no</h1>", { status: 418 }));
    hub.on("GET /api/devices", () => new Response("<h1>yes</h1>"));
    const client = open(hub.url);
    expect(await getFailure(client.asks())).toMatchObject({ code: "http-418", status: 418 });
    expect(await getFailure(client.devices())).toMatchObject({ code: "unreadable", status: 200 });
  });

  test("a call can be aborted and is then not retried", async () => {
    await using hub = scriptedHub();
    const abort = new AbortController();
    hub.on(`POST /api/sessions/${SESSION}/park`, () => {
      abort.abort(new Error("enough"));
      return "lost";
    });
    const failure = await getFailure(open(hub.url).park(SESSION, { signal: abort.signal }));
    expect(String(failure)).toContain("enough");
    expect(hub.calls).toHaveLength(1);
  });

  test("names are one path segment, whatever they contain", async () => {
    await using hub = scriptedHub();
    await getFailure(open(hub.url).session("../devices?x#y"));
    expect(hub.calls[0]?.path).toBe("/api/sessions/..%2Fdevices%3Fx%23y");
  });

  test("a large body is read by its hash, whole or in part", async () => {
    await using hub = scriptedHub();
    const hash = "b".repeat(64);
    hub.on(`GET /api/blobs/${hash}`, () => new Response("the whole"));
    const cut = { $blob: hash, bytes: 9, characters: 9, head: "t", tail: "e" };
    expect(await open(hub.url).body(cut)).toBe("the whole");
  });
});

describe("secrets", () => {
  test("[CL18] a redirect is not followed, and the credential is sent to no other address", async () => {
    await using hub = scriptedHub();
    await using elsewhere = scriptedHub();
    hub.on("GET /api/sessions", () => Response.redirect(`${elsewhere.url}/api/sessions`, 307));
    const failure = await getFailure(open(hub.url, 1).sessions());
    expect(HubError.is(failure)).toBe(true);
    expect(elsewhere.calls).toEqual([]);
    expect(hub.calls[0]).toMatchObject({ authorization: `Bearer ${TOKEN}`, query: {} });
  });

  test("pairing sends the code in a body, once, without any credential", async () => {
    await using hub = scriptedHub();
    hub.on("POST /api/pair", () => "lost");
    const failure = await getFailure(
      pairDevice({ url: hub.url, code: "one-time", name: "a test", publicKey: "key" }),
    );
    expect(HubError.is(failure, "unreachable")).toBe(true);
    expect(hub.calls).toHaveLength(1);
    expect(hub.calls[0]).toMatchObject({
      authorization: null,
      body: { code: "one-time", name: "a test", publicKey: "key" },
    });
  });

  const own = createSigningKey();
  const key = own.publicKey;
  const prove = (challenge: string, host: string, by = own) => {
    const nonce = "n".repeat(24);
    const signature = by.sign(hubProofText({ challenge, host, nonce }));
    return Response.json({ hub: HUB, key: by.publicKey, nonce, signature });
  };

  test("[CL17] a hub that proves it holds the key is accepted", async () => {
    await using hub = scriptedHub();
    hub.on("POST /api/identity", ({ body }) => {
      const { challenge } = body as { challenge: string };
      return prove(challenge, `127.0.0.1:${hub.port}`);
    });
    await verifyHubIdentity({ url: hub.url, key, hub: HUB });
    expect(hub.calls.map(({ authorization }) => authorization)).toEqual([null]);
  });

  const impostors: Record<string, (challenge: string, port: number) => Response> = {
    "knows nothing of it": () => new Response("welcome!"),
    "has another key": (challenge, port) =>
      prove(challenge, `127.0.0.1:${port}`, createSigningKey()),
    "passes on what the real hub says at its own port": (challenge) =>
      prove(challenge, "127.0.0.1:1"),
    "repeats an old proof": (_, port) => prove("00".repeat(32), `127.0.0.1:${port}`),
    "sends no text": () => Response.json({ hub: HUB, key, nonce: "n", signature: 7 }),
  };
  test.each(Object.keys(impostors))(
    "[CL17] one that %s is not, and gets no secret",
    async (name) => {
      await using squatter = scriptedHub();
      squatter.on("POST /api/identity", ({ body }) => {
        const { challenge } = body as { challenge: string };
        return impostors[name]?.(challenge, squatter.port) ?? new Response("");
      });
      const failure = await getFailure(verifyHubIdentity({ url: squatter.url, key, hub: HUB }));
      expect(HubError.is(failure, "not-the-hub")).toBe(true);
      expect(squatter.calls.every(({ authorization }) => authorization === null)).toBe(true);
    },
  );
});
