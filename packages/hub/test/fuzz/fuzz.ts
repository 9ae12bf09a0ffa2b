import { authorization, newDevice } from "@signalbox/testing/signed-requests";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PairedDevice } from "@signalbox/api";
import { COMMAND_HEADER } from "@signalbox/api/constants";
import * as fc from "fast-check";
import { greeted, openStream } from "../http/stage.ts";
import { type Attack, attack, type Who } from "./attacks.ts";

/** How much larger the hub may become by what is sent to it (C27). */
export const MAX_MB = 64;
/** Attacks until the hub has everything in memory that it will need. */
const WARM_UP = 300;

export interface Fuzzed {
  readonly attacks: number;
  readonly baseMb: number;
  readonly peakMb: number;
}

/** Attacks a hub for as long as `goesOn`. Throws when it answers otherwise than it should, or grows. */
export async function fuzz(
  seed: number,
  goesOn: (attacks: number) => boolean,
  told: (so: Fuzzed) => void = () => {},
): Promise<Fuzzed> {
  await using hub = await openHub();
  let [baseMb, peakMb] = [0, 0];
  let attacks = 0;
  for (; goesOn(attacks); attacks += 1) {
    const one = fc.sample(attack, { seed: seed + attacks, numRuns: 1 })[0] as Attack;
    await carryOut(hub, one).catch((cause: unknown) => {
      const what = JSON.stringify(one).slice(0, 2000);
      throw new Error(`attack ${attacks} of seed ${seed}: ${what}`, { cause });
    });
    if (attacks % 50 > 0) continue;
    await stillServes(hub);
    if (attacks <= WARM_UP) baseMb = hub.rssMb();
    peakMb = Math.max(peakMb, hub.rssMb());
    if (peakMb - baseMb > MAX_MB) throw new Error(`the hub grew from ${baseMb} to ${peakMb} MiB`);
    told({ attacks, baseMb, peakMb });
  }
  const errors = hub.log().filter((entry) => entry.includes('"level":"error"'));
  if (errors.length > 0) throw new Error(`the hub logged ${errors.length}: ${errors[0]}`);
  return { attacks, baseMb, peakMb };
}

export async function openHub() {
  const place = mkdtempSync(join(tmpdir(), "signalbox-fuzz-"));
  const data = join(place, "data");
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "hub-process.ts"), data], {
    stdout: "pipe",
    stderr: "inherit",
    env: { PATH: process.env["PATH"] ?? "", HOME: place },
  });
  const { value } = await child.stdout.getReader().read();
  const { url, port, code } = JSON.parse(new TextDecoder().decode(value)) as Record<string, string>;
  const post = async (path: string, token: string, body?: object) => {
    const text = body ? JSON.stringify(body) : "";
    const shown = await authorization(url ?? "", token, "POST", path, text);
    const headers = { authorization: shown, "content-type": "application/json" };
    const sent = body ? { body: text } : {};
    const response = await fetch(url + path, { method: "POST", headers, ...sent });
    if (response.status !== 201) throw new Error(`${path}: ${response.status}`);
    return (await response.json()) as PairedDevice & { code: string; ticket: string };
  };
  const pair = async (code: string | undefined, name: string) => {
    const { publicKey, createKey } = newDevice();
    return createKey((await post("/api/pair", "", { code, name, publicKey })).device.id);
  };
  const admin = await pair(code, "admin");
  const tokens: Record<Who, string> = { admin, driver: "", viewer: "", nobody: "", liar: "x" };
  for (const role of ["driver", "viewer"] as const) {
    const invited = await post("/api/pairings", admin, { role });
    tokens[role] = await pair(invited.code, role);
  }
  return {
    url: url ?? "",
    port: Number(port),
    tokens,
    ticket: async () => (await post("/api/tickets", tokens.viewer)).ticket,
    rssMb: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
    },
    log: () => readFileSync(join(data, "hub.log"), "utf8").split("\n"),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(place, { recursive: true, force: true });
    },
  };
}
export type FuzzedHub = Awaited<ReturnType<typeof openHub>>;

async function carryOut(hub: FuzzedHub, sent: Attack): Promise<void> {
  if (sent.kind === "bytes") return rawBytes(hub, sent.bytes);
  if (sent.kind === "frames") return frames(hub, sent);
  const { method, path, who, headers, body } = sent;
  const token = hub.tokens[who];
  const text = method === "GET" ? "" : String(body);
  const { pathname, search } = new URL(path, hub.url);
  const shown = await authorization(hub.url, token, method, pathname + search, text);
  const response = await fetch(hub.url + path, {
    method,
    headers: {
      ...(token === "" ? {} : { authorization: shown }),
      "content-type": "application/json",
      [COMMAND_HEADER]: randomUUID(),
      ...headers,
    },
    ...(method === "GET" ? {} : { body }),
  });
  await response.arrayBuffer();
  // 503: the runner of this machine is not there.
  if (response.status >= 500 && response.status !== 503) throw new Error(`${response.status}`);
}

/** Whatever came before, the last word is none, and ends it with a code that says so. */
async function frames(hub: FuzzedHub, sent: Extract<Attack, { kind: "frames" }>): Promise<void> {
  using stream = openStream(hub.url, await hub.ticket());
  await stream.opened;
  if (sent.inside) {
    stream.send({ type: "hello", version: 1 });
    await stream.frame("welcome");
  }
  for (const frame of sent.frames) stream.socket.send(frame);
  stream.socket.send("the end");
  const { code } = await stream.closed;
  if (![4400, 4401, 1009].includes(code)) throw new Error(`closed with ${code}`);
}

/** Written and ended; the hub ends its half as well. */
function rawBytes(hub: FuzzedHub, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(hub.port, "127.0.0.1", () => socket.end(bytes));
    socket.resume();
    socket.on("error", () => {}); // cut off by the hub
    socket.on("close", () => resolve());
  });
}

/** Whoever has a right to come in is let in, and served. */
export async function stillServes(hub: FuzzedHub): Promise<void> {
  const headers = {
    authorization: await authorization(hub.url, hub.tokens.admin, "GET", "/api/sessions"),
  };
  const { status } = await fetch(`${hub.url}/api/sessions`, { headers });
  if (status !== 200) throw new Error(`the admin is answered ${status}`);
  using stream = await greeted(hub.url, await hub.ticket());
  if (stream.frames[0]?.type !== "welcome") throw new Error("the admin is not welcomed");
}
