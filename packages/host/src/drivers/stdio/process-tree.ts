import { readProcessStat } from "../../system/process-stat.ts";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { processesInNamespaceUnder } from "../../isolation/namespace.ts";
import { RUN_MARKER } from "./environment.ts";
import { type ProcessTag, readProcessTag } from "./process-tag.ts";

/** For those who outlived their agent; that it is over is told after that, and must be told soon. */
const GRACE_MS = 500;
const GONE_MS = 2000;
const STEP_MS = 25;

interface ProcessTreeOptions {
  /** The process that was started for the run, and the leader of its process group. */
  readonly leader: number;
  readonly runId: string;
  readonly tag?: ProcessTag;
  /**
   * The leader is bubblewrap, and the run's processes have a PID namespace of their own below it, which
   * ends as a whole when the leader does.
   */
  readonly hasNamespace?: boolean;
}

/**
 * All processes of one run: its process group, and on Linux whatever carries the run's marker in its
 * environment or the run's tag in its limits, so that a child with a session of its own (the agent's
 * shells have one) is found too, and one that has emptied its environment besides.
 */
export class ProcessTree {
  readonly #leader: number;
  readonly #marker: string;
  readonly #tag: ProcessTag | undefined;
  readonly #hasNamespace: boolean;

  constructor({ leader, runId, tag, hasNamespace = false }: ProcessTreeOptions) {
    this.#leader = leader;
    this.#tag = tag;
    this.#hasNamespace = hasNamespace;
    this.#marker = `${RUN_MARKER}=${runId}`;
  }

  signal(signal: NodeJS.Signals): void {
    // Bubblewrap dies of any signal, and everything inside with it by SIGKILL: only those inside are asked.
    const inside =
      this.#hasNamespace && signal !== "SIGKILL" ? processesInNamespaceUnder(this.#leader) : [];
    if (inside.length > 0) {
      for (const pid of inside) sendSignal(pid, signal);
      return;
    }
    sendSignal(-this.#leader, signal);
    for (const pid of this.#strays()) sendSignal(pid, signal);
  }

  /** Ends whoever outlived the leader: asked first, made to a little later. */
  async endRemaining(): Promise<void> {
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
    return (sendSignal(-this.#leader, 0) && groupLives(this.#leader)) || this.#strays().length > 0;
  }

  #strays(): number[] {
    return markedProcesses(this.#marker, this.#tag);
  }
}

/** The living processes whose environment holds this `NAME=value`, or whose limits hold the tag. */
export function markedProcesses(marker: string, tag?: ProcessTag): number[] {
  const needle = Buffer.from(`${marker}\0`);
  return allProcesses().filter((pid) => {
    try {
      const isOurs =
        readFileSync(`/proc/${pid}/environ`).includes(needle) ||
        (tag !== undefined && readProcessTag(pid) === tag);
      return isOurs && !isZombie(pid);
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
    const stat = readProcessStat(pid);
    return stat?.group === group && !stat.isZombie;
  });
}

export function isZombie(pid: number): boolean {
  return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

/** Whether there was someone to take the signal. Nobody has the id 0: to the system it means us. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === "EPERM";
  }
}
