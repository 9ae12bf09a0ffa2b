import { readdirSync, readFileSync } from "node:fs";
import { isZombie, sendSignal } from "./process-tree.ts";
import { loadProcessTags, newProcessTag, openLibc, readProcessTag } from "./process-tag.ts";

const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;
const REAP_EVERY_MS = 2000;
const LEFT_AFTER_SWEEPS = 2;

/** The processes that were started for runs and that have not exited; their exits belong to whoever started them. */
const leaders = new Set<number>();
let sweep: (() => void) | undefined;

export function registerLeader(pid: number): void {
  leaders.add(pid);
}

export function unregisterLeader(pid: number): void {
  leaders.delete(pid);
}

/** Ends and reaps the orphaned processes that an ended run has left to this process. */
export function reapOrphans(): void {
  sweep?.();
}

/**
 * Makes this process the parent of every descendant that loses its own, instead of the system's first
 * process: none can leave. Only for a process that has nothing else to do than to run agents, before it
 * has started any. Does nothing where there is no such way (not on Linux, or not on Bun).
 */
export async function adoptOrphans(): Promise<Disposable> {
  const tags = await loadProcessTags();
  if (!tags) return { [Symbol.dispose]: () => {} };
  const { symbols } = await openLibc({
    prctl: { args: ["int", "u64", "u64", "u64", "u64"], returns: "int" },
    waitpid: { args: ["int", "ptr", "int"], returns: "int" },
  });
  symbols.prctl(PR_SET_CHILD_SUBREAPER, 1n, 0n, 0n, 0n);
  // What this process itself starts besides agents, such as Git, inherits this tag, and is left alone.
  const own = newProcessTag();
  const [, hard = 0n] = tags.get() ?? [];
  const isTagged = tags.set(new BigUint64Array([own, hard]));
  sweep = () => {
    for (const pid of isTagged ? children() : []) {
      if (leaders.has(pid) || readProcessTag(pid) === own) continue;
      if (isDead(pid)) symbols.waitpid(pid, null, WNOHANG);
      // It has thrown off its run's tag, so that nobody can tell whose it is: it ends with the last run.
      else if (leaders.size === 0) sendSignal(pid, "SIGKILL");
    }
  };
  // What such a program leaves behind, as bubblewrap does with its helper, has its tag, too. Bun reaps at once
  // what it has started, so that what is still there after several sweeps belongs to nobody.
  let seenDead = new Map<number, number>();
  const reapLeftovers = () => {
    const before = seenDead;
    seenDead = new Map();
    for (const pid of isTagged ? children() : []) {
      if (leaders.has(pid) || !isDead(pid)) continue;
      const sweeps = (before.get(pid) ?? 0) + 1;
      if (sweeps > LEFT_AFTER_SWEEPS) symbols.waitpid(pid, null, WNOHANG);
      else seenDead.set(pid, sweeps);
    }
  };
  const timer = setInterval(() => {
    sweep?.();
    reapLeftovers();
  }, REAP_EVERY_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      sweep = undefined;
    },
  };
}

function children(): number[] {
  try {
    const threads = readdirSync("/proc/self/task");
    return threads.flatMap((thread) => {
      const listed = readFileSync(`/proc/self/task/${thread}/children`, "utf8");
      return listed.split(" ").filter(Boolean).map(Number);
    });
  } catch {
    return []; // a thread has ended meanwhile, or this kernel keeps no such list
  }
}

function isDead(pid: number): boolean {
  try {
    return isZombie(pid);
  } catch {
    return false; // gone meanwhile
  }
}
