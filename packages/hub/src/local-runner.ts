import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { isRunnerFolderLocked } from "@signalbox/runner/lock";
import type { AccessControl } from "./devices/access-control.ts";
import { rotateIfLarge } from "./logging/log-file.ts";
import type { Logger } from "./logging/logger.ts";
import type { Store } from "./store/store.ts";

const SETTING = "own-runner";
const CHECK_INTERVAL_MS = 500;
const WAIT_MS = 3000;
const MAX_WAIT_MS = 60_000;
const EXIT_TIMEOUT_MS = 5000;

export interface LocalRunnerOptions {
  readonly access: AccessControl;
  readonly log: Logger;
  readonly id: string;
  readonly url: string;
  /** The file in which the hub says where it is. */
  readonly descriptor: string;
  /** The data folder of the runner's. */
  readonly folder: string;
  /** Program and arguments; `--data FOLDER` is added. */
  readonly command: readonly string[];
  readonly umask: number;
  readonly isConnected: () => boolean;
  /** Whether the one that is connected is of the version before, and has nothing to do. */
  readonly isReplaceable: () => boolean;
  /** Ends the runner of the folder; without it none is replaced. */
  readonly stopRunner?: (folder: string) => Promise<unknown>;
  readonly waitMs?: number;
}

/** The id under which this hub's runner is known, over all its processes. */
export async function loadOwnRunnerId(store: Store): Promise<string> {
  const known = await store.setting(SETTING);
  if (known !== undefined) return known;
  const id = randomUUID();
  await store.commit([{ kind: "setting", key: SETTING, value: id }]).catch(() => {});
  return id;
}

/**
 * Sees to it that there is a runner on this machine: one that lived on from before is waited for, and
 * only when none comes, and none holds its folder, is a new one started, with a new key.
 */
export class LocalRunner implements AsyncDisposable {
  readonly #options: LocalRunnerOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #waitMs: number;
  #missingSince = performance.now();
  #starting: Promise<void> | undefined;
  #child: ChildProcess | undefined;
  /** The child has been connected: it may have agents by now, and outlives the hub. */
  #wasConnected = false;
  #closed = false;
  #replaceNotBefore = 0;

  constructor(options: LocalRunnerOptions) {
    this.#options = options;
    this.#waitMs = options.waitMs ?? WAIT_MS;
    this.#timer = setInterval(() => this.#check(), Math.min(CHECK_INTERVAL_MS, this.#waitMs));
  }

  /** A runner that is only about to come would find nobody: it goes, and its folder is free. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    await this.#starting;
    const child = this.#child;
    if (!child || hasExited(child) || this.#wasConnected || this.#options.isConnected()) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    const kill = setTimeout(() => child.kill("SIGKILL"), EXIT_TIMEOUT_MS);
    await gone;
    clearTimeout(kill);
  }

  #check(): void {
    rotateIfLarge(join(this.#options.folder, "runner.log"));
    if (this.#starting) return;
    const { isConnected, log, waitMs: patienceMs = WAIT_MS } = this.#options;
    if (isConnected()) {
      this.#replaceOlder();
      this.#wasConnected = true;
      this.#missingSince = performance.now();
      this.#waitMs = patienceMs;
      return;
    }
    if (performance.now() - this.#missingSince < this.#waitMs) return;
    this.#missingSince = performance.now();
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_WAIT_MS);
    this.#starting = this.#start()
      .catch((error: unknown) => log.error("runner-not-started", { why: String(error) }))
      .finally(() => void (this.#starting = undefined));
  }

  /** A runner that outlived the upgrade of the hub makes room for today's as soon as it has no agents. */
  #replaceOlder(): void {
    const { stopRunner: end, isReplaceable, folder, log } = this.#options;
    const now = performance.now();
    if (!end || now < this.#replaceNotBefore || !isReplaceable()) return;
    this.#replaceNotBefore = now + MAX_WAIT_MS;
    log.info("runner-replaced", { why: "It is of the version before, and has no agents." });
    this.#starting = end(folder)
      .then(() => (this.#closed ? undefined : this.#start()))
      .catch((error: unknown) => log.error("runner-not-started", { why: String(error) }))
      .finally(() => void (this.#starting = undefined));
  }

  async #start(): Promise<void> {
    const { access, log, folder, id, url, descriptor, umask } = this.#options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // One that takes its time to start has a key already, which a new one would end.
    if (this.#child && !hasExited(this.#child)) return;
    if (isRunnerFolderLocked(folder)) {
      log.error("runner-away", { why: "The runner of before lives and has not come back yet." });
      return;
    }
    const { key } = await access.devices.add({
      id,
      name: "this machine",
      role: "runner",
      by: null,
      how: "the hub's start",
      neverExpires: true,
    });
    log.hide(key);
    if (this.#closed) return;
    const home = { descriptor, key: access.identity.key.publicKey };
    this.#spawn(JSON.stringify({ hub: url, home, key, runner: id, umask }));
  }

  #spawn(order: string): void {
    const { command, folder, log } = this.#options;
    const [program = "", ...rest] = command;
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    const path = join(folder, "runner.log");
    const output = openSync(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
    try {
      // In a session of its own, so that what ends the hub does not end the agents.
      const child = spawn(program, [...rest, "--data", folder], {
        detached: true,
        stdio: ["pipe", output, output],
      });
      this.#child = child;
      this.#wasConnected = false;
      child.on("error", (error) => {
        this.#child = undefined;
        log.error("runner-not-started", { why: error.message });
      });
      child.stdin?.on("error", () => {}); // it left at once: its log says why
      child.stdin?.end(`${order}\n`);
      child.unref();
      log.info("runner-started", { pid: child.pid });
    } finally {
      closeSync(output);
    }
  }
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
