import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { RUNNER_START_FILE } from "@signalbox/runner/link";
import { isRunnerFolderLocked } from "@signalbox/runner/lock";
import { replacePrivateFile } from "./data/private-file.ts";
import type { AccessControl } from "./devices/access-control.ts";
import { rotateIfLarge } from "./logging/log-file.ts";
import type { Logger } from "./logging/logger.ts";
import { readOrAddMachineId } from "./store/shared-setting.ts";
import type { Store } from "./store/store.ts";

const CHECK_INTERVAL_MS = 500;
const WAIT_MS = 3000;
const MAX_WAIT_MS = 60_000;
const EXIT_TIMEOUT_MS = 5000;
interface LocalRunnerOptions {
  readonly access: AccessControl;
  readonly log: Logger;
  readonly id: string;
  readonly url: string;
  /** The path of the file that says where the hub is. */
  readonly descriptor: string;
  /** The runner's data folder. */
  readonly folder: string;
  /**
   * The program and its arguments, to which `--data FOLDER` is added. With "service" a service manager runs the
   * runner, which waits for its start file.
   */
  readonly command: readonly string[] | "service";
  readonly umask: number;
  readonly isConnected: () => boolean;
  /** Whether the connected runner is of the previous version and has nothing to do. */
  readonly isReplaceable: () => boolean;
  /** Ends the runner of a folder; without it, no runner is replaced. */
  readonly stopRunner?: (folder: string) => Promise<unknown>;
  readonly waitMs?: number;
}

/** The id of this hub's own runner, which stays the same over all its processes. */
export function loadOwnRunnerId(store: Store): Promise<string> {
  return readOrAddMachineId(store, "own-runner");
}

/**
 * Ensures that there is a runner on this machine. A runner that lives on from before is waited for. Only if
 * none connects, and none holds the folder, a new one is started with a new key.
 */
export class LocalRunner implements AsyncDisposable {
  readonly #options: LocalRunnerOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #waitMs: number;
  #missingSince = performance.now();
  #starting: Promise<void> | undefined;
  #child: ChildProcess | undefined;
  /** Whether the child has connected: then it may have agents, and outlives the hub. */
  #wasConnected = false;
  #closed = false;
  #replaceNotBefore = 0;

  constructor(options: LocalRunnerOptions) {
    this.#options = options;
    this.#waitMs = options.waitMs ?? WAIT_MS;
    this.#timer = setInterval(() => this.#check(), Math.min(CHECK_INTERVAL_MS, this.#waitMs));
  }

  /** Ends a runner that has not connected yet. It would not find a hub, and its folder has to be free. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    await this.#starting;
    const child = this.#child;
    if (!child || hasExited(child) || this.#wasConnected || this.#options.isConnected()) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const kill = setTimeout(() => child.kill("SIGKILL"), EXIT_TIMEOUT_MS);
    await exited;
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

  /** Replaces a runner that outlived an upgrade of the hub, as soon as it has no agents. */
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
    // A child that is slow to start has a key already, which a new key would revoke.
    if (this.#child && !hasExited(this.#child)) return;
    // So does a service that has not read its start file yet.
    if (this.#options.command === "service" && existsSync(this.#startFile)) return;
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
    const order = JSON.stringify({ hub: url, home, key, runner: id, umask });
    const { command } = this.#options;
    if (command !== "service") return this.#spawn(command, order);
    replacePrivateFile(this.#startFile, order);
    log.info("runner-start-file-written");
  }

  get #startFile(): string {
    return join(this.#options.folder, RUNNER_START_FILE);
  }

  #spawn([program = "", ...rest]: readonly string[], order: string): void {
    const { folder, log } = this.#options;
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    const path = join(folder, "runner.log");
    const output = openSync(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
    try {
      // The runner gets a session of its own, so that whatever ends the hub does not end the agents.
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
      child.stdin?.on("error", () => {}); // the child ended at once; its log says why
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
