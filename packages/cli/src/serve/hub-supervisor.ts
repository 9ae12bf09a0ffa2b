import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { ListeningSockets } from "@signalbox/hub/listening-sockets";
import { exitCode } from "../exit-code.ts";

/** How one process of the hub ended. */
interface HubExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It had started: what ended it was a crash or a kill. */
  readonly hasListened: boolean;
  readonly livedMs: number;
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5000;
/** After so long without a crash the next one is followed by a start at once. */
const STABLE_MS = 10_000;
/** Exit codes with which a hub says in words why it does not start. Trying again would not help. */
const finalExitCodes: ReadonlySet<number | null> = new Set([exitCode.usage, exitCode.refused]);

/**
 * Keeps the hub's listening sockets open and runs the hub as a child that inherits them. While a hub
 * that crashed is started again nobody else can listen on its port, and connections wait for it.
 */
export class HubSupervisor {
  readonly #command: (restarted: boolean) => readonly string[];
  readonly #sockets: ListeningSockets;
  readonly #stopped = new AbortController();
  #child: ChildProcess | undefined;

  /** `command`: program and arguments of the hub's process; its sockets are descriptors 3 and on. */
  constructor(sockets: ListeningSockets, command: (restarted: boolean) => readonly string[]) {
    this.#sockets = sockets;
    this.#command = command;
    // Not once: a launcher passes on the Ctrl-C that the terminal has sent to all.
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        this.#stopped.abort();
        this.#child?.kill(signal);
      });
    }
    process.on("SIGHUP", () => {}); // a closed terminal ends neither the hub nor this process
  }

  /** Settles when the hub has stopped for good, with its exit code. */
  async run(): Promise<number> {
    let pauseMs = FIRST_DELAY_MS;
    for (let restarted = false; ; restarted = true) {
      const end = await this.#runHub(restarted);
      if (this.#isFinal(end, restarted)) return this.#finish(end);
      if (end.livedMs >= STABLE_MS) pauseMs = FIRST_DELAY_MS;
      const how = end.signal === null ? `exit code ${end.code}` : `killed by ${end.signal}`;
      console.error(
        `The hub ended unexpectedly (${how}). Its port stays held, and it is started again in ${pauseMs / 1000} s.`,
      );
      await sleep(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
      if (this.#stopped.signal.aborted) {
        console.error("The hub has stopped.");
        return exitCode.success;
      }
      pauseMs = Math.min(pauseMs * 2, MAX_DELAY_MS);
    }
  }

  #isFinal({ code, hasListened: listened }: HubExit, restarted: boolean): boolean {
    if (this.#stopped.signal.aborted || code === 0) return true;
    return !listened && (!restarted || finalExitCodes.has(code));
  }

  async #finish({ code, signal }: HubExit): Promise<number> {
    this.#sockets.close();
    if (signal === null) return code ?? exitCode.agentError;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return new Promise(() => {}); // the signal ends this process
  }

  #runHub(restarted: boolean): Promise<HubExit> {
    const [program = "", ...args] = this.#command(restarted);
    const since = performance.now();
    let listened = false;
    // The hub's standard input ends when this process does, however it ends.
    const child = spawn(program, args, {
      stdio: ["pipe", "inherit", "inherit", ...this.#sockets.fds, "pipe"],
    });
    this.#child = child;
    child.stdio
      .at(-1)
      ?.on("data", () => void (listened = true))
      .on("error", () => {});
    child.stdin?.on("error", () => {});
    return new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) =>
        resolve({ code, signal, hasListened: listened, livedMs: performance.now() - since });
      child.on("exit", end);
      child.on("error", (failure) => {
        console.error(`signalbox serve: the hub's process cannot be started: ${failure.message}`);
        end(exitCode.agentError, null);
      });
    });
  }
}
