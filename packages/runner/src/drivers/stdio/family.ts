import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { RUN_MARKER } from "./environment.ts";

/** For those who outlived their agent; that it is over is told after that, and must be told soon. */
const GRACE_MS = 500;
const GONE_MS = 2000;
const STEP_MS = 25;

/**
 * All processes of one run: its process group, and on Linux whatever carries the run's marker in its
 * environment, so that a child with a session of its own (the agent's shells have one) is found too.
 */
export class Family {
  readonly #leader: number;
  readonly #marker: string;

  constructor(leader: number, runId: string) {
    this.#leader = leader;
    this.#marker = `${RUN_MARKER}=${runId}`;
  }

  signal(signal: NodeJS.Signals): void {
    send(-this.#leader, signal);
    for (const pid of this.#strays()) send(pid, signal);
  }

  /** Ends whoever outlived the leader: asked first, made to a little later. */
  async endRest(): Promise<void> {
    if (!this.#anyLeft()) return;
    this.signal("SIGTERM");
    for (let waited = 0; waited < GRACE_MS && this.#anyLeft(); waited += STEP_MS) {
      await sleep(STEP_MS);
    }
    if (this.#anyLeft()) await this.kill();
  }

  /** Ends everyone at once, and waits until the last is gone. */
  async kill(): Promise<void> {
    this.signal("SIGKILL");
    for (let waited = 0; waited < GONE_MS && this.#strays().length > 0; waited += STEP_MS) {
      await sleep(STEP_MS);
      this.signal("SIGKILL"); // one may have been born meanwhile
    }
  }

  #anyLeft(): boolean {
    return (send(-this.#leader, 0) && groupLives(this.#leader)) || this.#strays().length > 0;
  }

  #strays(): number[] {
    return markedProcesses(this.#marker);
  }
}

/** The living processes whose environment holds this `NAME=value`. */
export function markedProcesses(marker: string): number[] {
  const needle = Buffer.from(`${marker}\0`);
  return allProcesses().filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`);
      return environment.includes(needle) && !isZombie(pid);
    } catch {
      return false; // gone meanwhile, or another user's
    }
  });
}

export function allProcesses(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    return []; // no /proc here: the process group has to do
  }
}

/** A group may consist of dead ones that nobody has buried: where PID 1 is no real init, for ever. */
function groupLives(group: number): boolean {
  const all = allProcesses();
  if (all.length === 0) return true; // no /proc: nothing else is known
  return all.some((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [state, , ofGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(ofGroup) === group && state !== "Z";
    } catch {
      return false; // gone meanwhile
    }
  });
}

export function isZombie(pid: number): boolean {
  return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

/** Whether there was someone to take the signal. Nobody has the id 0: to the system it means us. */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === "EPERM";
  }
}
