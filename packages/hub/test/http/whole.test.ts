import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningHub, startHub } from "@signalbox/hub";
import { startModel } from "@signalbox/model";
import { type AskView, COMMAND_HEADER, hubDescriptor, type Paired } from "@signalbox/protocol";
import { bundledAgent } from "@signalbox/runner";
import { openStream } from "./stage.ts";

setDefaultTimeout(180_000);

/** A hub with its own runner and a scripted model, in a place that goes with the test. */
async function openWhole() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-whole-")));
  const folder = join(place, "work");
  const home = join(place, "home");
  mkdirSync(folder);
  mkdirSync(home);
  const model = await startModel({ script: "" });
  const main = join(import.meta.dir, "own-runner-main.ts");
  const clean = ["env", "-i", `HOME=${home}`, `PATH=${process.env["PATH"]}`, "LANG=C.UTF-8"];
  const hub = await startHub({
    data: join(place, "data"),
    version: "0.0.0",
    port: 0,
    runner: [...clean, process.execPath, main, "--own"],
    runnerPatienceMs: 100,
  });
  return {
    place,
    folder,
    hub,
    environment: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy-key-for-tests",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
    async [Symbol.asyncDispose]() {
      const text = readFileSync(join(place, "data", "runner", "runner.log"), "utf8");
      const pid = Number(/pid (\d+)/.exec(text)?.[1]);
      await hub.stop();
      if (pid > 0) process.kill(pid, "SIGTERM");
      while (existsSync(`/proc/${pid}`)) await Bun.sleep(20);
      await model.close();
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function caller(hub: RunningHub, token: string) {
  return async (method: string, path: string, body?: unknown, command: string = randomUUID()) => {
    const response = await fetch(hub.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        [COMMAND_HEADER]: command,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : undefined) as never };
  };
}

/** Paired, with the agent of the tests in its settings, and its runner there. */
async function settle({ hub, place, environment }: Awaited<ReturnType<typeof openWhole>>) {
  const code = hub.firstPairing()?.code;
  const first = await caller(hub, "x")("POST", "/api/pair", { code, name: "desk" });
  const admin = caller(hub, (first.body as Paired).token);
  const text = readFileSync(join(place, "data", "hub.json"), "utf8");
  const driver = caller(hub, hubDescriptor.parse(JSON.parse(text)).token);
  await admin("PUT", "/api/environments", { test: environment });
  const agent = { name: "claude-code", path: bundledAgent() ?? "", environment: "test" };
  expect((await admin("PUT", "/api/agents", [agent])).status).toBe(204);
  while (!hub.engine.runners().some(({ online }) => online)) await Bun.sleep(20);
  return { admin, driver };
}

describe("the whole hub", () => {
  test("[HH22] a session made over HTTP runs the real agent; its ask reaches the stream, no driver can answer it, an approver can, once", async () => {
    await using whole = await openWhole();
    const { hub, folder } = whole;
    const { admin, driver } = await settle(whole);

    using stream = openStream(hub.url);
    await stream.opened;
    const { ticket } = (await admin("POST", "/api/tickets")).body as { ticket: string };
    stream.send({ type: "hello", version: 1, ticket });
    await stream.frame("welcome");
    stream.send({ type: "watch-board" });
    const session = randomUUID();
    const prompt = { text: '::tool Bash {"command":"touch made.txt"}\n::say done' };
    const made = await driver("POST", "/api/sessions", { folder, prompt }, session);
    expect(made.status).toBe(201);
    const again = await driver("POST", "/api/sessions", { folder, prompt }, session);
    expect(again).toEqual(made);

    const asked = (): AskView | undefined =>
      stream.frames.flatMap((frame) => (frame.type === "board" ? frame.asks : []))[0];
    let received = 0;
    while (!asked()) {
      received = stream.frames.reduce((sum, frame) => sum + JSON.stringify(frame).length, 0);
      stream.send({ type: "ack", received });
      await Bun.sleep(20);
    }
    const ask = asked() as AskView;
    const answer = { hash: ask.hash, decision: { behavior: "allow" } };
    const path = `/api/asks/${ask.id}/answer`;
    expect((await driver("POST", path, answer)).status).toBe(403);
    expect((await admin("POST", path, { ...answer, hash: "0".repeat(64) })).status).toBe(409);
    expect(existsSync(join(folder, "made.txt"))).toBe(false);
    const command = randomUUID();
    const answered = await admin("POST", path, answer, command);
    expect(answered.status).toBe(200);
    expect(await admin("POST", path, answer, command)).toEqual(answered);
    expect((await admin("POST", path, answer)).status).toBe(409);
    while (!existsSync(join(folder, "made.txt"))) await Bun.sleep(20);
    while (hub.engine.session(session).summary.status !== "idle") await Bun.sleep(20);

    const page = (await driver("GET", `/api/sessions/${session}/items`)).body as {
      items: { kind: string; text?: string }[];
    };
    expect(page.items.some(({ kind, text }) => kind === "text" && text === "done")).toBe(true);
    const lines = await driver("GET", `/api/sessions/${session}/lines?after=0&limit=5`);
    expect(lines.body).toMatchObject({ more: true });
    const stopped = await driver("POST", `/api/sessions/${session}/stop`);
    expect(stopped.body).toMatchObject({ state: "stopped" });
    expect((await driver("DELETE", `/api/sessions/${session}`)).status).toBe(204);
    const audit = await driver("GET", "/api/audit?verify=1");
    expect(audit.body).toMatchObject({ verified: { broken: null } });
  });

  test("[HH23] an agent of the same user cannot approve its own request with anything it finds or asks for", async () => {
    await using whole = await openWhole();
    const { hub, folder, place } = whole;
    const { admin } = await settle(whole);
    const results = join(place, "results.json");
    const script = join(import.meta.dir, "red-team.mjs");
    const attack = {
      command: `${process.execPath} ${script} ${join(place, "data")} ${results}`,
      run_in_background: true,
    };
    const sentinel = { command: "touch sentinel.txt" };
    const text = `::tool Bash ${JSON.stringify(attack)}\n::tool Bash ${JSON.stringify(sentinel)}\n::say done`;
    const session = randomUUID();
    await admin("POST", "/api/sessions", { folder, prompt: { text } }, session);
    while (hub.engine.asks().length === 0) await Bun.sleep(20);
    const [first] = hub.engine.asks();
    const allow = { hash: first?.hash, decision: { behavior: "allow" } };
    expect((await admin("POST", `/api/asks/${first?.id}/answer`, allow)).status).toBe(200);
    while (!existsSync(results) || readFileSync(results, "utf8") === "") await Bun.sleep(50);

    const { ask, tried, found } = JSON.parse(readFileSync(results, "utf8")) as {
      ask: string;
      tried: { what: string; status: number; token: boolean }[];
      found: number;
    };
    // What a driver may do, and what says only that it still waits.
    const harmless = new Set(["pairing", "pair", "elevation", "ticket", "claim"]);
    expect(tried.filter(({ what, status }) => status < 400 && !harmless.has(what))).toEqual([]);
    expect(tried.filter(({ token }) => token)).toEqual([]);
    expect(tried.filter(({ what }) => what === "answer by a stored hash").length).toBeGreaterThan(
      1,
    );
    expect(found).toBe(0);
    expect(existsSync(join(folder, "sentinel.txt"))).toBe(false);
    expect(hub.engine.asks().map(({ id }) => id)).toContain(ask);
    await admin("POST", `/api/sessions/${session}/stop`);
    expect(existsSync(join(folder, "sentinel.txt"))).toBe(false);
  });
});
