import { readFileSync } from "node:fs";

/**
 * A number that all descendants of a process inherit, whatever they do to their environment, their
 * session and their parent: a soft limit for the CPU time of real-time threads, far above any that could
 * ever be reached. Reading it back from `/proc` tells which run a process belongs to.
 */
const RLIMIT_RTTIME = 15;
/** 2^62 microseconds are 146,000 years. The low 48 bits tell runs apart. */
const BASE = 2n ** 62n;
const BITS = 48n;

export type ProcessTag = bigint;

export function newProcessTag(): ProcessTag {
  const random = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
  return BASE + (random & (2n ** BITS - 1n));
}

interface Limits {
  get(): BigUint64Array | undefined;
  set(limits: BigUint64Array): boolean;
}

let limits: Promise<Limits | undefined> | undefined;

/** Undefined where there are no such limits: not on Linux, or not on Bun. */
export async function loadProcessTags(): Promise<Limits | undefined> {
  limits ??= load().catch(() => undefined);
  return limits;
}

async function load(): Promise<Limits | undefined> {
  if (process.platform !== "linux" || process.versions["bun"] === undefined) return undefined;
  const { ptr } = await import("bun:ffi");
  const libc = await openLibc({
    getrlimit: { args: ["int", "ptr"], returns: "int" },
    setrlimit: { args: ["int", "ptr"], returns: "int" },
  });
  const { getrlimit, setrlimit } = libc.symbols;
  return {
    get() {
      const pair = new BigUint64Array(2); // the soft limit and the hard one
      return getrlimit(RLIMIT_RTTIME, ptr(pair)) === 0 ? pair : undefined;
    },
    set: (pair) => setrlimit(RLIMIT_RTTIME, ptr(pair)) === 0,
  };
}

/** The C library by the names that glibc and musl give it. */
export async function openLibc<const T extends Parameters<typeof import("bun:ffi").dlopen>[1]>(
  symbols: T,
) {
  const { dlopen } = await import("bun:ffi");
  const musl = `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`;
  try {
    return dlopen("libc.so.6", symbols);
  } catch {
    return dlopen(musl, symbols);
  }
}

/** Calls `start` with this process's own limit set to the tag: whatever it starts inherits that. */
export function withProcessTag<T>(tags: Limits | undefined, tag: ProcessTag, start: () => T): T {
  const before = tags?.get();
  if (!tags || !before) return start();
  const [, hard = 0n] = before;
  tags.set(new BigUint64Array([tag, hard])); // refused where the hard limit is lower: then there is no tag
  try {
    return start();
  } finally {
    tags.set(before);
  }
}

/** The tag of a process; undefined: it has none, is gone, or is another user's. */
export function readProcessTag(pid: number): ProcessTag | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/limits`, "utf8");
    const [, soft = ""] = /^Max realtime timeout\s+(\d+)/m.exec(text) ?? [];
    const tag = soft === "" ? 0n : BigInt(soft);
    return tag >= BASE && tag < BASE + 2n ** BITS ? tag : undefined;
  } catch {
    return undefined;
  }
}
