import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeviceRole } from "@signalbox/api";
import { COMMAND_HEADER } from "@signalbox/api/constants";
import type { Item } from "@signalbox/timeline";
import { oldAgent, openStage, type Stage } from "./agent-stage.ts";
import { findAgent } from "@signalbox/host/agents";
import { authorization, readDeviceId, newDevice, signedBody } from "./signed-requests.ts";
import { type RunningHub, startHub } from "@signalbox/hub";
import { relayExtension, type RelaySettings } from "@signalbox/relay";
import { until } from "./until.ts";
import { portToComeBackTo } from "./ports.ts";

export { until };

export const person = { device: "test", name: "a person", role: "admin" } as const;

/** A hub with a relay on a port of its own, over as many lives as a test wants, and who may speak to it. */
export class RelayStage implements AsyncDisposable {
  readonly data = mkdtempSync(join(tmpdir(), "signalbox-relay-"));
  hub!: RunningHub;
  token = "";
  readonly #port = portToComeBackTo();
  #discoveryPorts: readonly number[] = [];
  readonly #switches: RelaySettings | undefined;
  readonly #real: Stage | undefined;
  readonly #children: ChildProcess[] = [];

  private constructor(switches: RelaySettings | undefined, real: Stage | undefined) {
    this.#switches = switches;
    this.#real = real;
  }

  /** With null for the switches, the hub is not told to open its relay: what is set there decides. */
  static async open(
    switches: RelaySettings | null = {},
    options: { real?: boolean; discoveryPorts?: readonly number[] } = {},
  ): Promise<RelayStage> {
    const stage = new RelayStage(
      switches ?? undefined,
      options.real ? await openStage() : undefined,
    );
    stage.#discoveryPorts = options.discoveryPorts ?? [];
    await stage.start();
    stage.token = await stage.paired();
    return stage;
  }

  /** The hub's next life. */
  async start(): Promise<void> {
    const { data } = this;
    const dialIn = this.#switches;
    const relay = relayExtension({
      ...(dialIn && { dialIn }),
      discoveryPorts: this.#discoveryPorts,
    });
    this.hub = await startHub({ data, version: "0.0.0", port: this.#port, extensions: [relay] });
  }

  get url(): string {
    return this.hub.url;
  }
  get ws(): string {
    return this.hub.url.replace("http", "ws");
  }
  get engine() {
    return this.hub.engine;
  }
  get folder(): string {
    return this.#real?.folder ?? "/";
  }
  /** What a real agent needs to find the scripted model, and nothing of this machine's. */
  get agentEnvironment(): Record<string, string | undefined> {
    return { ...this.#real?.inheritFrom, ...this.#real?.environment };
  }
  get modelRequests(): readonly unknown[] {
    return this.#real?.model.requests ?? [];
  }
  has(name: string): boolean {
    return this.#real?.has(name) ?? false;
  }

  /** A new device: the first is an admin. */
  async paired(role?: DeviceRole): Promise<string> {
    const code =
      role === undefined
        ? this.hub.firstPairing()?.code
        : ((await this.call("POST", "/api/pairings", { role })) as { code: string }).code;
    const { publicKey, createKey } = newDevice();
    const body = { code, name: "a test", publicKey };
    const { device } = (await this.call("POST", "/api/pair", body)) as { device: { id: string } };
    return createKey(device.id);
  }

  /** Takes a device away, as a person does. */
  async revoke(token: string): Promise<void> {
    await this.call("DELETE", `/api/devices/${readDeviceId(token)}`);
  }

  /** The header that shows who asks. */
  async shownBy(token: string, method: string, path: string, text = "") {
    return { authorization: await authorization(this.url, token, method, path, text) };
  }

  /** The header with which a front end or an SDK client shows who it is. */
  attached(path: string, token = this.token) {
    return this.shownBy(token, "GET", path);
  }

  /** What a client that can set no header shows in its first frame. */
  async ticket(): Promise<string> {
    return ((await this.call("POST", "/api/tickets")) as { ticket: string }).ticket;
  }

  /** A bearer token for a program that cannot sign. */
  async programToken(role: "viewer" | "driver"): Promise<string> {
    const made = await this.call("POST", "/api/tokens", { name: "a program", role });
    return (made as { token: string }).token;
  }

  async call(method: string, path: string, asked?: unknown): Promise<unknown> {
    const body = signedBody(path, this.token, asked);
    const text = body === undefined ? "" : JSON.stringify(body);
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.token !== "" && (await this.shownBy(this.token, method, path, text))),
        "content-type": "application/json",
        [COMMAND_HEADER]: crypto.randomUUID(),
      },
      ...(body !== undefined && { body: text }),
    });
    const responseText = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${responseText}`);
    return responseText === "" ? undefined : JSON.parse(responseText);
  }

  async invite(title = "dialled"): Promise<{ session: string; secret: string; url: string }> {
    return (await this.call("POST", "/api/relay/agents", { title })) as never;
  }

  /** The real Claude Code that still can, told to dial this address. */
  claude(url: string, secret: string | undefined, flags: readonly string[] = []): ChildProcess {
    const real = this.#real;
    if (!real) throw new Error("this stage has no model");
    const args = ["--sdk-url", url, "--print", "--output-format", "stream-json"];
    const usual = ["--input-format", "stream-json", "--verbose", "--include-partial-messages"];
    const asking = ["--replay-user-messages", "--permission-prompt-tool", "stdio"];
    const { command, args: script } = findAgent(oldAgent, real.inheritFrom);
    const child = spawn(command, [...script, ...args, ...usual, ...asking, ...flags, "-p", ""], {
      cwd: real.folder,
      env: {
        ...real.inheritFrom,
        ...real.environment,
        ...(secret !== undefined && { CLAUDE_CODE_SESSION_ACCESS_TOKEN: secret }),
      },
      stdio: "ignore",
    });
    this.#children.push(child);
    return child;
  }

  view(session: string) {
    return this.engine.sessions.get(session);
  }

  async running(session: string): Promise<void> {
    await until(() => this.view(session).state === "running");
  }

  /** Sends a message and waits for the turn's end. */
  async turn(session: string, text: string): Promise<void> {
    const before = this.view(session).summary.turns;
    await this.engine.prompts.send(session, crypto.randomUUID(), { text }, person);
    await until(() => this.view(session).summary.turns > before);
  }

  async ask(session: string, not: ReadonlySet<string> = new Set()) {
    const find = () =>
      this.engine.asks.list().find((ask) => ask.session === session && !not.has(ask.id));
    await until(() => find() !== undefined);
    return find()!;
  }

  async items(session: string): Promise<Item[]> {
    return this.engine.history.listItems(session, undefined, 1000);
  }

  /** All that the agent has said in text. */
  async texts(session: string): Promise<string[]> {
    const items = await this.items(session);
    return items.flatMap((item) => (item.kind === "text" ? [item.text] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    await this.hub.stop();
    await this.#real?.[Symbol.asyncDispose]();
    rmSync(this.data, { recursive: true, force: true, maxRetries: 5 });
  }
}
