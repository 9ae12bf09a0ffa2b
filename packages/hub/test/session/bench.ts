import { expect } from "bun:test";
import { AuditedDevices } from "../../src/devices/audited-devices.ts";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Actor,
  type EngineOptions,
  openEngine,
  type Engine,
  type SessionSummary,
} from "@signalbox/hub/engine";
import { openStore, type Store, StoreError, type StoreHealth } from "@signalbox/hub/store";
import type { AskView } from "@signalbox/api";
import { PromptSeals } from "../../src/devices/prompt-seals.ts";
import { OwnedStore } from "../store/owned-store.ts";
import { FakeRunner, until } from "./fake-runner.ts";

export const desk: Actor = { device: crypto.randomUUID(), name: "desk", role: "admin" };
export const OWN = crypto.randomUUID();

/** A real store whose commits a test can hold back or let fail, and in whose reads it can step. */
export class Gate {
  #held: { open: () => void; closed: Promise<void> } | undefined;
  #health: StoreHealth = { writable: true };
  readonly #listeners = new Set<(health: StoreHealth) => void>();
  readonly #store: Store;
  /** Called before and after every read. */
  onRead: ((what: string) => void | Promise<void>) | undefined;
  /** What is stored is not told before this. */
  linger: Promise<void> | undefined;
  /** Commits that are held back. */
  waiting = 0;
  /** …and all that are not through. */
  inFlight = 0;
  /** The most characters of lines that one commit had. */
  largest = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  hold(): void {
    let open = () => {};
    const closed = new Promise<void>((resolve) => (open = resolve));
    this.#held = { open, closed };
  }
  release(): void {
    this.#held?.open();
    this.#held = undefined;
  }

  set trouble(detail: string | undefined) {
    this.#health =
      detail === undefined ? { writable: true } : { writable: false, why: "disk-full", detail };
    for (const listener of this.#listeners) listener(this.#health);
  }

  get store(): Store {
    return new Proxy(this.#store, {
      get: (store, name: keyof Store) => {
        if (name === "commit") {
          return (...commit: Parameters<Store["commit"]>) => this.#commit(...commit);
        }
        if (name === "health") return this.#health;
        if (name === "onHealth") {
          return (listener: (health: StoreHealth) => void) => {
            this.#listeners.add(listener);
            return () => this.#listeners.delete(listener);
          };
        }
        const value: unknown = store[name];
        if (typeof value !== "function") return value;
        const method = value.bind(store) as (...args: unknown[]) => unknown;
        if (typeof name !== "string") return method;
        if (!/^(items|count|item|progress)/.test(name)) return method;
        return async (...args: unknown[]) => {
          await this.onRead?.(`before ${name}`);
          const found = await method(...args);
          await this.onRead?.(`after ${name}`);
          return found;
        };
      },
    });
  }

  async #commit(...[changes, fence]: Parameters<Store["commit"]>): Promise<void> {
    this.inFlight++;
    this.largest = Math.max(this.largest, countCharacters(changes));
    try {
      if (this.#held) {
        this.waiting++;
        await this.#held.closed.finally(() => this.waiting--);
      }
      if (!this.#health.writable) throw new StoreError("disk-full", this.#health.detail);
      await this.#store.commit(changes, fence);
      await this.linger;
    } finally {
      this.inFlight--;
    }
  }
}

function countCharacters(changes: Parameters<Store["commit"]>[0]): number {
  return changes.reduce((sum, each) => sum + (each.kind === "line" ? each.row.text.length : 0), 0);
}

/** A real store and engine, and runners that the test speaks for. */
export class Bench implements AsyncDisposable {
  readonly place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-bench-")));
  readonly folder = join(this.place, "work");
  readonly data = join(this.place, "data");
  #options: Partial<EngineOptions> = {};
  gate!: Gate;
  owners!: OwnedStore;
  store!: Store;
  engine!: Engine;

  static async open(options: Partial<EngineOptions> = {}): Promise<Bench> {
    const bench = new Bench();
    mkdirSync(bench.folder);
    bench.#options = options;
    await bench.openHub();
    return bench;
  }

  /** `readsAudit`: the audit says which permissions of the stored sessions count, as in the whole hub. */
  async openHub({
    readsAudit = false,
    promptSeals = new PromptSeals("a key that only the hub has"),
  } = {}): Promise<void> {
    this.store = await openStore(this.data);
    this.owners = await OwnedStore.open(this.store);
    this.gate = new Gate(this.owners.store);
    const audited = readsAudit && (await AuditedDevices.read(this.store));
    this.engine = await openEngine({
      store: this.gate.store,
      ownRunner: OWN,
      promptSeals,
      ...this.#options,
      ...(audited && {
        permissions: audited.permissions,
        settingsCheck: audited.settings,
        knowsAsk: (...ask) => audited.knowsAsk(...ask),
      }),
    });
  }

  async closeHub(): Promise<void> {
    this.gate.release();
    await this.engine[Symbol.asyncDispose]();
    await this.store[Symbol.asyncDispose]();
    // [LG32] in every test of the engine: what belongs to a runner is written with its fence
    expect(this.owners.unfenced).toEqual([]);
  }

  runner(known?: FakeRunner, id = OWN): Promise<FakeRunner> {
    return new FakeRunner(this.engine, id).hello(known);
  }

  create(
    options: Partial<Parameters<Engine["sessions"]["create"]>[1]> = {},
  ): Promise<SessionSummary> {
    return this.engine.sessions.create(
      crypto.randomUUID(),
      { folder: this.folder, ...options },
      desk,
    );
  }

  /** A session whose agent runs and has nothing to do. */
  async running(runner: FakeRunner, options: Parameters<Bench["create"]>[0] = {}): Promise<string> {
    const { id } = await this.create(options);
    await this.engine.sessions.wake(id, desk);
    await until(() => this.engine.sessions.get(id).state === "running");
    await until(() => runner.runs.has(id));
    return id;
  }

  send(session: string, text: string, id: string = crypto.randomUUID(), now = false) {
    return this.engine.prompts.send(session, id, { text, now }, desk);
  }

  async ask(session: string): Promise<AskView> {
    const open = () => this.engine.asks.list().find((ask) => ask.session === session);
    await until(() => open() !== undefined);
    return open() as AskView;
  }

  /** Everything of the session that a runner has said is stored. */
  async stored(runner: FakeRunner, session: string, seq = runner.runs.get(session)?.seq ?? 0) {
    await until(() => runner.acked(session) >= seq);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeHub();
    rmSync(this.place, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function refusal(work: Promise<unknown>): Promise<{ status: number; code: string }> {
  const why: unknown = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  const { status, code } = (why ?? {}) as { status?: number; code?: string };
  return { status: status ?? 0, code: code ?? String(why) };
}
