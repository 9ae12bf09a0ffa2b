import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HubDescriptor, PairedDevice } from "@signalbox/api";
import { COMMAND_HEADER } from "@signalbox/api/constants";
import { hubDescriptor } from "@signalbox/api/schemas";
import { type HubOptions, type RunningHub, startHub } from "@signalbox/hub";
import { localRunner } from "@signalbox/testing/programs";
import { until } from "@signalbox/testing/until";
import { verifyHubIdentity } from "@signalbox/client";
import { isRunnerFolderLocked } from "@signalbox/runner/lock";
import { authorization, newDevice } from "@signalbox/testing/signed-requests";
import { greeted } from "./stage.ts";
import { portToComeBackTo } from "@signalbox/testing/ports";

setDefaultTimeout(180_000);

let data: string;
beforeEach(() => void (data = mkdtempSync(join(tmpdir(), "signalbox-hub-"))));
afterEach(() => rmSync(data, { recursive: true, force: true }));

const start = (options: Partial<HubOptions> = {}) =>
  startHub({ data, version: "0.0.0", port: 0, ...options });
const descriptor = (): HubDescriptor =>
  hubDescriptor.parse(JSON.parse(readFileSync(join(data, "hub.json"), "utf8")));

async function ask(hub: RunningHub, method: string, path: string, token = "", body?: unknown) {
  const text = body === undefined ? "" : JSON.stringify(body);
  return fetch(hub.url + path, {
    method,
    headers: {
      ...(token && { authorization: await authorization(hub.url, token, method, path, text) }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      [COMMAND_HEADER]: randomUUID(),
    },
    ...(body === undefined ? {} : { body: text }),
  });
}
const commandLineKey = () => readFileSync(join(data, "command-line.key"), "utf8").trim();
async function pairFirst(hub: RunningHub): Promise<string> {
  const code = hub.firstPairing()?.code;
  const { publicKey, createKey } = newDevice();
  const made = await ask(hub, "POST", "/api/pair", "", { code, name: "desk", publicKey });
  return createKey(((await made.json()) as PairedDevice).device.id);
}

describe("the hub", () => {
  test("[HD3] the first start offers a code that makes an admin, and no later one does", async () => {
    await using hub = await start();
    const token = await pairFirst(hub);
    const facts = (await (await ask(hub, "GET", "/api/hub", token)).json()) as {
      device: { role: string };
    };
    expect(facts.device.role).toBe("admin");
    expect(hub.firstPairing()).toBeUndefined();
    await hub.stop();
    await using again = await start();
    expect(again.firstPairing()).toBeUndefined();
    expect((await ask(again, "GET", "/api/sessions", token)).status).toBe(200);
  });

  test("[HD8] programs of the same user find it by a file of theirs alone, check it, and may drive but not approve", async () => {
    const hub = await start();
    const { url, key, pid, hub: id } = descriptor();
    for (const name of ["hub.json", "command-line.key", "identity.json"]) {
      expect([name, statSync(join(data, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect([url, pid]).toEqual([hub.url, process.pid]);
    await verifyHubIdentity({ url, key, hub: id });
    const other = newDevice().publicKey;
    const failure: unknown = await verifyHubIdentity({ url, key: other, hub: id }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "not-the-hub" });
    const token = commandLineKey();
    expect((await ask(hub, "GET", "/api/sessions", token)).status).toBe(200);
    for (const role of ["approver", "admin", "runner"]) {
      expect((await ask(hub, "POST", "/api/pairings", token, { role })).status).toBe(403);
    }
    const answer = { hash: "0".repeat(64), decision: { behavior: "allow" } };
    const path = `/api/asks/${randomUUID()}/answer`;
    expect((await ask(hub, "POST", path, token, answer)).status).toBe(403);
    await hub.stop();
    expect(existsSync(join(data, "hub.json"))).toBe(false);
  });

  test("[HD8] the command line's key and the hub's own stay over restarts; one that was lost is made anew, and the old one ends", async () => {
    const first = await start();
    const { key } = descriptor();
    const token = commandLineKey();
    await first.stop();
    const second = await start();
    expect([descriptor().key, commandLineKey()]).toEqual([key, token]);
    expect((await ask(second, "GET", "/api/sessions", token)).status).toBe(200);
    await second.stop();
    rmSync(join(data, "command-line.key"));
    await using third = await start();
    expect(descriptor().key).toBe(key);
    expect((await ask(third, "GET", "/api/sessions", token)).status).toBe(401);
    expect((await ask(third, "GET", "/api/sessions", commandLineKey())).status).toBe(200);
  });

  test("[HD4] after pairing, streams, wrong guesses and a restart no secret is in the data folder or its logs", async () => {
    const hub = await start();
    const admin = await pairFirst(hub);
    const canaries = [admin];
    const { code, url } = (await (
      await ask(hub, "POST", "/api/pairings", admin, { role: "driver" })
    ).json()) as { code: string; url: string };
    canaries.push(code, url.split("#")[1] ?? "");
    const { publicKey, createKey } = newDevice();
    const paired = (await (
      await ask(hub, "POST", "/api/pair", "", { code, name: "phone", publicKey })
    ).json()) as PairedDevice;
    const phone = createKey(paired.device.id);
    canaries.push(phone);
    const { ticket } = (await (await ask(hub, "POST", "/api/tickets", admin)).json()) as {
      ticket: string;
    };
    canaries.push(ticket);
    using stream = await greeted(hub.url, ticket);
    expect(stream.frames[0]?.type).toBe("welcome");
    await ask(hub, "GET", "/api/sessions", `${ticket}x`);
    hub.log.error("canary", { header: `Bearer ${admin}`, title: `x ${code} ${ticket} ${phone}` });
    // Nobody waits for the entry of a wrong guess: it is there a moment later.
    await until("the audit has the wrong guess", async () => {
      const audit = (await (await ask(hub, "GET", "/api/audit?verify=1", admin)).json()) as {
        entries: { what: string }[];
        verified: { broken: number | null };
      };
      expect(audit.verified.broken).toBeNull();
      return audit.entries.some(({ what }) => what === "login-failed");
    });
    await hub.stop();
    const files = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const text = readFileSync(file, "latin1");
      const found = canaries.filter((secret) => text.includes(secret));
      expect([file, found]).toEqual([file, []]);
    }
  });

  test("[HH14] a port that is taken leaves nothing behind: no descriptor, no runner, and the folder free", async () => {
    await using hub = await start();
    const other = mkdtempSync(join(tmpdir(), "signalbox-hub-"));
    const runner = [process.execPath, "-e", "require('fs').writeFileSync('/dev/null','')"];
    const failure: unknown = await start({ data: other, port: hub.port, runner }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "CANNOT_LISTEN" });
    expect(existsSync(join(other, "hub.json"))).toBe(false);
    expect(existsSync(join(other, "runner"))).toBe(false);
    await (await start({ data: other })).stop();
    rmSync(other, { recursive: true });
  });
});

/** Where another hub can be started after it. */
const startWhereItStays = (options: Partial<HubOptions>) =>
  start({ ...options, port: portToComeBackTo() });

describe("the runner of this machine", () => {
  const runner = [process.execPath, localRunner, "--own"];
  const pids = () =>
    [
      ...readFileSync(join(data, "runner", "runner.log"), "utf8").matchAll(
        /pid (\d+) umask (\d+)/g,
      ),
    ].map(([, pid, umask]) => ({ pid: Number(pid), umask }));
  const online = async (hub: RunningHub) => {
    await until(
      "the runner of this machine is online",
      () => hub.engine.runners.list().some((each) => each.online && each.own),
      { seen: () => hub.engine.runners.list() },
    );
    return hub.engine.runners.list()[0]?.id;
  };

  test("[HH21] is started when none is there, outlives the hub, comes back to it, and is replaced when it dies", async () => {
    const umask = process.umask(0o022);
    const options = { runner, runnerWaitMs: 1500 };
    let last: number | undefined;
    try {
      const first = await startWhereItStays(options);
      const { port } = first;
      const id = await online(first);
      await until("one runner has said its pid", () => pids().length === 1);
      expect(pids()[0]?.umask).toBe("22");
      last = pids()[0]?.pid;
      await first.stop();
      await using second = await start({ ...options, port, runnerWaitMs: 120_000 });
      expect(await online(second)).toBe(id);
      expect(pids()).toHaveLength(1);
      await second.stop();
      process.kill(last ?? 0, "SIGKILL");
      await using third = await start({ ...options, port });
      expect(await online(third)).toBe(id);
      await until("a second runner has said its pid", () => pids().length === 2);
      last = pids()[1]?.pid;
    } finally {
      process.umask(umask);
      if (last !== undefined) process.kill(last, "SIGTERM");
      await until("the last runner is gone", () => !existsSync(`/proc/${last}`));
    }
  });

  test("[HH21] comes back to a hub at another port, and shows nothing to whoever is at the old one", async () => {
    const options = { runner, runnerWaitMs: 100 };
    const heard: string[] = [];
    const first = await startWhereItStays(options);
    expect(first.engine.runners.list()).toMatchObject([{ own: true, online: false }]);
    const id = await online(first);
    await until("a runner has said its pid", () => pids().length > 0);
    const pid = pids().at(-1)?.pid ?? 0;
    const met = pids().length;
    try {
      await first.stop();
      const asked = Promise.withResolvers<void>();
      // Somebody who asks the hub for nothing, and answers with a proof of his own.
      using squatter = Bun.serve({
        port: first.port,
        hostname: "127.0.0.1",
        reusePort: false,
        fetch(request) {
          heard.push(`${request.method} ${new URL(request.url).pathname}`);
          heard.push(request.headers.get("authorization") ?? "nothing signed");
          asked.resolve();
          return Response.json({ hub: id, proof: "0".repeat(64) });
        },
      });
      await asked.promise;
      await using second = await start({ ...options, runnerWaitMs: 60_000 });
      expect(second.port).not.toBe(squatter.port);
      expect(await online(second)).toBe(id);
      expect(pids()).toHaveLength(met);
      expect(new Set(heard)).toEqual(new Set(["POST /api/identity", "nothing signed"]));
    } finally {
      process.kill(pid, "SIGTERM");
      await until("the runner is gone", () => !existsSync(`/proc/${pid}`));
    }
  });

  /** How far the start of a runner has come when the hub is closed. */
  const steps: readonly {
    readonly name: string;
    readonly isReached: (folder: string) => boolean;
  }[] = [
    { name: "has not begun", isReached: () => true },
    { name: "has made its folder", isReached: existsSync },
    { name: "has a process", isReached: (folder) => getRunners(folder).length > 0 },
    { name: "has its lock", isReached: (folder) => existsSync(join(folder, "has-lock")) },
  ];

  // The runner of these tests never connects, so the hub always closes before it has come.
  test.each(steps)(
    "[HH21] a hub that is closed while its runner is being started leaves none, and no lock: $name",
    async ({ name, isReached }) => {
      const stranded = [process.execPath, join(import.meta.dir, "stranded-runner-main.ts")];
      const folder = join(data, "runner");
      await using hub = await start({ runner: stranded, runnerWaitMs: 1 });
      await until(`the start of the runner ${name}`, () => isReached(folder));
      expect(hub.engine.runners.list().some(({ online }) => online)).toBe(false);
      await hub.stop();
      expect(getRunners(folder)).toEqual([]);
      expect(existsSync(folder) && isRunnerFolderLocked(folder)).toBe(false);
    },
  );
});

/** The processes that were started for this folder. */
function getRunners(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    } catch {
      return false; // gone meanwhile
    }
  });
}
