import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { ListeningSockets } from "@signalbox/hub/listening-sockets";
import { exitCode } from "../exit-code.ts";

/** How a process of the hub ended. */
interface HubExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The start had succeeded, so the process crashed or was killed. */
  readonly hasListened: boolean;
  readonly lifetimeMs: number;
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5000;
/** After this time without a crash the delay starts from the beginning again. */
const STABLE_MS = 10_000;
/** Exit codes of a hub that has reported why it cannot start. A restart would not help. */
const finalExitCodes: ReadonlySet<number | null> = new Set([exitCode.usage, exitCode.refused]);

/**
 * Keeps the listening sockets open and runs the hub as a child process that inherits them. While a crashed hub
 * restarts, no other program can listen on its port, and connections wait.
 */
export class HubSupervisor {
  readonly #command: (restarted: boolean) => readonly string[];
  readonly #sockets: ListeningSockets;
  readonly #stopped = new AbortController();
  #child: ChildProcess | undefined;

  /** `command` returns the program and arguments of the hub's process, whose sockets start at descriptor 3. */
  constructor(sockets: ListeningSockets, command: (restarted: boolean) => readonly string[]) {
    this.#sockets = sockets;
    this.#command = command;
    // More than once: the launcher passes on the Ctrl-C that the terminal has sent to all processes.
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        this.#stopped.abort();
        this.#child?.kill(signal);
      });
    }
    process.on("SIGHUP", () => {}); // a closed terminal stops neither the hub nor this process
  }

  /** Resolves with the exit code when the hub has stopped for good. */
  async run(): Promise<number> {
    let delayMs = FIRST_DELAY_MS;
    for (let restarted = false; ; restarted = true) {
      const end = await this.#runHub(restarted);
      if (this.#isFinal(end, restarted)) return this.#finish(end);
      if (end.lifetimeMs >= STABLE_MS) delayMs = FIRST_DELAY_MS;
      const how = end.signal === null ? `exit code ${end.code}` : `killed by ${end.signal}`;
      console.error(
        `The hub ended unexpectedly (${how}). Restarting in ${delayMs / 1000} s; the port stays open meanwhile.`,
      );
      await sleep(delayMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
      if (this.#stopped.signal.aborted) {
        console.error("The hub has stopped.");
        return exitCode.success;
      }
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
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
    // The standard input of the hub closes when this process ends for any reason.
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
        resolve({ code, signal, hasListened: listened, lifetimeMs: performance.now() - since });
      child.on("exit", end);
      child.on("error", (failure) => {
        console.error(`signalbox serve: Couldn't start the process of the hub: ${failure.message}`);
        end(exitCode.agentError, null);
      });
    });
  }
}
