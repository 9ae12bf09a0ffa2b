import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash, randomUUID } from "node:crypto";
import { routeEntries, splitKey } from "@signalbox/api/routes";
import { type TestServer, openTestServer } from "./stage.ts";
import { newDevice, signedAnswer } from "@signalbox/testing/signed-requests";

let testServer: TestServer;
let driver: string;
let approver: string;
beforeAll(async () => {
  testServer = await openTestServer();
  driver = await testServer.tokenOf("driver");
  approver = await testServer.tokenOf("approver");
});
beforeEach(() => void testServer.calls.splice(0));
afterAll(() => testServer[Symbol.asyncDispose]());

const session = randomUUID();
interface Said {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}
async function said(response: Promise<Response>): Promise<Said> {
  const answer = await response;
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  return (await answer.json()) as Said;
}

describe("refusals", () => {
  test("[HH17] a wrong body is named field by field", async () => {
    const body = { folder: "", policy: "lax", prompt: { text: 1 }, extra: true };
    const { status, code, detail } = await said(
      testServer.ask("POST", "/api/sessions", { token: driver, body }),
    );
    expect([status, code]).toEqual([400, "misshapen"]);
    for (const field of ["`folder`", "`policy`", "`prompt.text`", "`extra`"]) {
      expect(detail).toContain(field);
    }
  });

  test("[HH17] …in plain words, whatever is wrong with it", async () => {
    const told = async (path: string, body: unknown, token = driver) => {
      const { detail } = await said(testServer.ask("POST", path, { token, body }));
      return detail.replace("The body is not valid. ", "").split(/(?<=\.) /);
    };
    const mcpServers = { "": { command: "x" }, far: { type: "sse", url: "nowhere" } };
    const prompt = { text: 1, images: [{ data: "%" }], now: "yes" };
    const times = { bypassMinutes: 0, askLimitMinutes: 1e9 };
    const made = { folder: "", policy: "lax", runner: "x", addDirs: {}, confirmed: false };
    expect(await told("/api/sessions", { ...made, ...times, mcpServers, prompt })).toEqual([
      "`folder` must not be empty.",
      "`runner` must be a UUID.",
      '`policy` must be one of supervised, default, accept-edits, plan, autonomous; got "lax".',
      "`addDirs` must be a list; got an object.",
      '`mcpServers.""` has a name that must not be empty.',
      "`mcpServers.far.url` must be a URL.",
      "`askLimitMinutes` must be at most 100000; got 1000000000.",
      "`bypassMinutes` must be more than 0; got 0.",
      "`confirmed` must be true; got false.",
      "`prompt.text` must be text; got a number.",
      "`prompt.images.0.data` must be Base64.",
      "`prompt.now` must be true or false; got text.",
    ]);
    expect(await told("/api/sessions", { title: "x".repeat(201) })).toEqual([
      "`folder` must be text; it is missing.",
      "`title` must have at most 200 characters; got 201.",
    ]);
    const nul = { folder: "/", title: "a\0b", model: "\0", effort: "high" };
    expect(await told("/api/sessions", nul)).toEqual([
      "`title` must not hold line breaks, control characters or invisible characters.",
      "`model` must not hold line breaks, control characters or invisible characters.",
    ]);
    expect(await told("/api/sessions", null)).toEqual(["The body must be an object; got null."]);
    expect(await told("/api/pairings", { role: "king" }, approver)).toEqual([
      '`role` must be one of viewer, driver, approver, admin, runner; got "king".',
    ]);
  });

  test("[HH17] a field that is not known is refused with those that are, where it could mean less", async () => {
    const told = async (path: string, body: object, token = driver) =>
      (await said(testServer.ask("POST", path, { token, body }))).detail;
    const begins = "The body is not valid.";
    expect(await told("/api/sessions", { folder: "/", askLimit: 5 })).toStartWith(
      `${begins} \`askLimit\` is not a known field; allowed are folder, title, runner, `,
    );
    const answer = (decision: object) =>
      told(`/api/asks/${randomUUID()}/answer`, { hash: "0".repeat(64), decision }, approver);
    expect(await answer({ behavior: "deny", stopp: true })).toBe(
      `${begins} \`decision.stopp\` is not a known field; allowed are behavior, message, stop.`,
    );
    const mcpServers = { one: { command: "x", environment: {} } };
    expect(await told("/api/sessions", { folder: "/", mcpServers })).toBe(
      `${begins} \`mcpServers.one.environment\` is not a known field; allowed are type, command, args, env, url, headers.`,
    );
    expect(testServer.calls).toEqual([]);
  });

  test("[HH17] a newer client's field is passed over where it costs nothing: messages, finding the hub, being let in", async () => {
    const newer = { sinceVersion: 9 };
    const image = { data: "aGk=", alt: "newer" };
    const sent = { token: driver, body: { text: "hi", images: [image], ...newer } };
    expect((await testServer.ask("POST", `/api/sessions/${session}/prompts`, sent)).status).toBe(
      202,
    );
    expect(testServer.calls.at(-1)?.args).toContainEqual({
      text: "hi",
      images: [{ data: "aGk=" }],
    });
    const challenge = "0".repeat(64);
    const proof = await testServer.ask("POST", "/api/identity", { body: { challenge, ...newer } });
    expect(proof.status).toBe(200);
    const { publicKey } = newDevice();
    const asked = { token: driver, body: { name: "a window", publicKey, ...newer } };
    expect((await testServer.ask("POST", "/api/elevations", asked)).ok).toBe(true);
  });

  test("[HH17] an unknown route, a wrong method, a wrong id and a wrong query say what there is", async () => {
    const token = driver;
    expect(await said(testServer.ask("GET", "/api/nothing", { token }))).toMatchObject({
      status: 404,
      code: "no-such-route",
    });
    const wrongMethod = await testServer.ask("PUT", "/api/sessions", { token });
    expect(wrongMethod.headers.get("allow")).toBe("GET, POST");
    expect(await wrongMethod.json()).toMatchObject({ status: 405 });
    expect(
      await said(testServer.ask("GET", "/api/sessions/..%2f..%2fetc", { token })),
    ).toMatchObject({
      status: 404,
      code: "not-found",
    });
    const query = await said(
      testServer.ask("GET", `/api/sessions/${session}/items?limit=0`, { token }),
    );
    expect(query.detail).toContain("`limit` must be at least 1");
    expect(testServer.calls).toEqual([]);
  });

  test("[HH17] what is not JSON, not declared as JSON, too deep or too large is refused", async () => {
    const post = async (
      body: string,
      type = "application/json",
      path = `/api/sessions/${session}/fork`,
    ) =>
      said(
        fetch(testServer.url + path, {
          method: "POST",
          body,
          headers: {
            ...(await testServer.shownBy(driver, "POST", path, body)),
            "content-type": type,
            "signalbox-command": randomUUID(),
          },
        }),
      );
    expect(await post("{")).toMatchObject({ code: "not-json", status: 400 });
    expect(await post("{}", "text/plain")).toMatchObject({ status: 415 });
    const deep = `{"at":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(await post(deep)).toMatchObject({ code: "too-deep", status: 400 });
    expect(await post(" ".repeat(1024 * 1024 + 1))).toMatchObject({ status: 413 });
    const open = await post(" ".repeat(64 * 1024 + 1), "application/json", "/api/pair");
    expect(open).toMatchObject({ status: 413 });
    expect(testServer.calls).toEqual([]);
  });

  test("[HH17] a body without a length is cut off where the limit is", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 16 * 1024;
        if (sent > 32 * 1024 * 1024) controller.close();
        else controller.enqueue(new Uint8Array(16 * 1024).fill(32));
      },
    });
    const response = await fetch(`${testServer.url}/api/pair`, {
      method: "POST",
      body: endless,
      headers: { "content-type": "application/json" },
    }).catch(() => undefined);
    expect([413, undefined]).toContain(response?.status);
  });

  test("[HH12] keys that reach for prototypes are dropped, others stay", async () => {
    const hash = "0".repeat(64);
    const ask = { id: randomUUID(), hash };
    const kept = { a: 1, deep: [{ constructor: "kept" }] };
    const { signature } = signedAnswer(approver, ask, { behavior: "allow", input: kept });
    const body = `{"hash":"${hash}","signature":"${signature}","decision":{"behavior":"allow","input":{"a":1,"__proto__":{"x":1},"\\u005f_proto__":2,"constructor":{"prototype":{"y":1}},"deep":[{"__proto__":3,"constructor":"kept"}]}}}`;
    const path = `/api/asks/${ask.id}/answer`;
    const response = await fetch(testServer.url + path, {
      method: "POST",
      body,
      headers: {
        ...(await testServer.shownBy(approver, "POST", path, body)),
        "content-type": "application/json",
        "signalbox-command": randomUUID(),
      },
    });
    expect(response.status).toBe(200);
    const answer = testServer.calls[0]?.args[1] as { decision: { input: object } };
    expect(JSON.stringify(answer.decision.input)).toBe('{"a":1,"deep":[{"constructor":"kept"}]}');
  });
});

describe("names that a person reads", () => {
  const misleading = [
    "a\nb",
    "a\rb",
    "a\u202eb",
    "a\u2066b",
    "a\u200bb",
    "a\u3164b",
    "\u001b[2J",
    "a\u009bb",
    "a\0b",
  ];
  const refusedAs = async (path: string, body: unknown, method = "POST") => {
    const { status, detail } = await said(testServer.ask(method, path, { token: driver, body }));
    return [status, detail];
  };
  const why = expect.stringContaining("must not hold line breaks, control characters") as string;

  test("[HH40] of devices, terminals and sessions are refused with control, invisible and direction-changing characters", async () => {
    const { publicKey } = newDevice();
    for (const name of misleading) {
      expect(await refusedAs("/api/pair", { code: "x", name, publicKey })).toEqual([400, why]);
      expect(await refusedAs("/api/elevations", { name, publicKey })).toEqual([400, why]);
      const body = { folder: "/tmp", title: name };
      expect(await refusedAs("/api/sessions", body)).toEqual([400, why]);
      const path = `/api/sessions/${session}`;
      expect(await refusedAs(path, { title: name }, "PATCH")).toEqual([400, why]);
    }
    expect(testServer.calls).toEqual([]);
    const title = "Grüße, שלום, 你好 👩‍💻 👩🏽‍💻";
    const body = { folder: "/tmp", title };
    expect((await testServer.ask("POST", "/api/sessions", { token: driver, body })).status).toBe(
      201,
    );
  });
});

describe("a driver", () => {
  test("[HH18] agents and environments are set by an admin", async () => {
    for (const token of [driver, approver]) {
      expect((await testServer.ask("PUT", "/api/agents", { token, body: [] })).status).toBe(403);
      expect((await testServer.ask("GET", "/api/environments", { token })).status).toBe(403);
    }
    const token = await testServer.tokenOf("admin");
    expect((await testServer.ask("PUT", "/api/agents", { token, body: [] })).status).toBe(204);
  });
});

describe("reading", () => {
  test("[HH19] a page of items says whether there are older ones", async () => {
    testServer.answers["history.listItems"] = async () =>
      [1, 2, 3].map((order) => ({ id: String(order), order, rev: 1 }));
    const path = `/api/sessions/${session}/items`;
    const page = async (query: string) =>
      (await (await testServer.ask("GET", path + query, { token: driver })).json()) as {
        items: { order: number }[];
        older: boolean;
      };
    expect(await page("?limit=2")).toMatchObject({
      items: [{ order: 2 }, { order: 3 }],
      older: true,
    });
    expect(await page("?limit=3&before=9")).toMatchObject({ older: false });
    expect(testServer.calls.map(({ args }) => args)).toEqual([
      [session, undefined, 3],
      [session, 9, 4],
    ]);
  });

  test("[HH19] blobs are served whole and in ranges, as bytes and nothing else", async () => {
    const bytes = new TextEncoder().encode("0123456789");
    const hash = createHash("sha256").update(bytes).digest("hex");
    await testServer.store.commit([{ kind: "blob", session, hash, bytes }]);
    const get = (range?: string) =>
      testServer.ask("GET", `/api/blobs/${hash}`, {
        token: driver,
        ...(range === undefined ? {} : { headers: { range } }),
      });
    const whole = await get();
    expect(await whole.text()).toBe("0123456789");
    expect(whole.headers.get("content-type")).toBe("application/octet-stream");
    const ranges: [string, number, string][] = [
      ["bytes=2-4", 206, "234"],
      ["bytes=7-", 206, "789"],
      ["bytes=-3", 206, "789"],
      ["bytes=5-100", 206, "56789"],
      ["bytes=4-2", 200, "0123456789"],
      ["bytes=1-2,4-5", 200, "0123456789"],
      ["items=1-2", 200, "0123456789"],
    ];
    for (const [range, status, text] of ranges) {
      const response = await get(range);
      expect([range, response.status, await response.text()]).toEqual([range, status, text]);
    }
    expect((await get("bytes=2-4")).headers.get("content-range")).toBe("bytes 2-4/10");
    for (const range of ["bytes=10-", "bytes=999999-", "bytes=-0"]) {
      const response = await get(range);
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe("bytes */10");
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await response.json()).toMatchObject({ status: 416, code: "no-such-range" });
    }
  });

  test("[HH20] the description holds every route, with what it takes, what it gives and whom it lets in", async () => {
    const response = await testServer.ask("GET", "/api/openapi.json", { token: driver });
    const document = (await response.json()) as {
      openapi: string;
      paths: Record<string, Record<string, { requestBody?: object; "x-role"?: string }>>;
      components: { schemas: Record<string, object> };
    };
    expect(document.openapi).toBe("3.1.0");
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const table = routeEntries
      .map(([key]) => splitKey(key))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect(described.toSorted()).toEqual(table.toSorted());
    const answering = document.paths["/api/asks/{ask}/answer"]?.post;
    expect(answering?.["x-role"]).toBe("approver");
    const schemaName = (operation: typeof answering) =>
      /schemas\/(\w+)/.exec(JSON.stringify(operation?.requestBody))?.[1] ?? "";
    const { schemas } = document.components;
    expect(schemaName(answering)).toBe("Answer");
    expect(JSON.stringify(schemas["DecisionInput"])).toContain('"const":"allow"');
    const options = schemas[schemaName(document.paths["/api/sessions"]?.post)];
    expect(JSON.stringify(options)).toContain("Needed for the policy autonomous");
  });
});

describe("compression", () => {
  const ask = (path: string, accepted: string) =>
    testServer.ask("GET", path, { token: driver, headers: { "accept-encoding": accepted } });

  test("[HH81] a long answer is compressed for a client that accepts it, a short one never", async () => {
    const long = await ask("/api/openapi.json", "gzip");
    expect(long.headers.get("content-encoding")).toBe("gzip");
    expect(long.headers.get("vary")).toContain("accept-encoding");
    const plain = await ask("/api/openapi.json", "identity");
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await long.json()).toEqual(await plain.json());
    const short = await ask("/api/sessions", "gzip");
    expect(short.headers.get("content-encoding")).toBeNull();
  });
});
