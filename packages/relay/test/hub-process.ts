import { hubProcess } from "@signalbox/testing/programs";
import { Database } from "bun:sqlite";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { authorization, newDevice, signedBody } from "@signalbox/testing/signed-requests";
import { COMMAND_HEADER } from "@signalbox/api/constants";
import type { SessionSummary } from "@signalbox/hub/engine";
import type { Item } from "@signalbox/timeline";
import { portToComeBackTo } from "@signalbox/testing/ports";

function spawnHub() {
  return spawn(process.execPath, [hubProcess], { stdio: ["pipe", "pipe", "inherit"] });
}

/** A hub with a relay in a process of its own, which can be killed, and whose store can be held. */
export class HubProcess implements AsyncDisposable {
  readonly data = mkdtempSync(join(tmpdir(), "signalbox-relay-process-"));
  url = "";
  #token = "";
  #child: ChildProcess | undefined;
  #next: ReturnType<typeof spawnHub> | undefined;

  static async open(): Promise<HubProcess> {
    const hub = new HubProcess();
    const code = await hub.start();
    const { publicKey, createKey } = newDevice();
    const body = { code, name: "test", publicKey };
    const { device } = await hub.call<{ device: { id: string } }>("POST", "/api/pair", body);
    hub.#token = createKey(device.id);
    return hub;
  }

  /** The hub's next life, at the same port. Gives back the first pairing code, if there is one. */
  async start(): Promise<string | undefined> {
    const port = this.url === "" ? portToComeBackTo() : Number(new URL(this.url).port);
    const relay = { dialIn: { graceMs: 600_000 }, discoveryPorts: [] };
    const options = { data: this.data, version: "0.0.0", port, relay };
    const child = this.#next ?? spawnHub();
    this.#next = undefined;
    this.#child = child;
    child.stdin.end(JSON.stringify(options));
    for await (const line of createInterface({ input: child.stdout })) {
      const { url, code } = JSON.parse(line) as { url: string; code?: string };
      this.url = url;
      return code;
    }
    throw new Error("the hub did not start");
  }

  /** The next life's process is there and waits for `start`: on a busy machine that takes seconds. */
  prepare(): void {
    this.#next = spawnHub();
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  /** From now on nothing can be stored, until it is let go. */
  holdStore(): Disposable {
    const database = new Database(join(this.data, "signalbox.sqlite"));
    database.run("PRAGMA busy_timeout = 60000");
    database.run("BEGIN IMMEDIATE");
    return { [Symbol.dispose]: () => database.close() };
  }

  /** How many bytes of lines lie on the disk, because the store has not taken them. */
  get spilled(): number {
    const folder = join(this.data, "relay/spill");
    return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  }

  async call<T>(method: string, path: string, asked?: unknown): Promise<T> {
    const body = signedBody(path, this.#token, asked);
    const sent = body === undefined ? "" : JSON.stringify(body);
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.#token !== "" && {
          authorization: await authorization(this.url, this.#token, method, path, sent),
        }),
        "content-type": "application/json",
        [COMMAND_HEADER]: crypto.randomUUID(),
      },
      ...(body !== undefined && { body: sent }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  invite(): Promise<{ session: string; secret: string; url: string }> {
    return this.call("POST", "/api/relay/agents", {});
  }
  session(id: string): Promise<SessionSummary> {
    return this.call("GET", `/api/sessions/${id}`);
  }
  async items(id: string): Promise<Item[]> {
    const { items } = await this.call<{ items: Item[] }>(
      "GET",
      `/api/sessions/${id}/items?limit=1000`,
    );
    return items;
  }
  async texts(id: string): Promise<string[]> {
    return (await this.items(id)).flatMap((item) => (item.kind === "text" ? [item.text] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#next?.kill("SIGKILL");
    await this.end("SIGKILL");
    rmSync(this.data, { recursive: true, force: true, maxRetries: 5 });
  }
}
