/** Taken now, because tests replace clocks and timers later. */
const now = performance.now.bind(performance);
const { sleep } = Bun;
const [startTimer, stopTimer] = [setTimeout, clearTimeout];

/** Shorter than a test's own limit, so that the sentence below is what is read. */
const WITHIN_MS = 120_000;
const LONGEST_PAUSE_MS = 25;

type Truthy<T> = Exclude<T, false | undefined | null | 0 | "">;

interface UntilOptions {
  readonly withinMs?: number;
  /** What to show when it does not happen; otherwise the probe's last value is shown. */
  readonly seen?: () => unknown;
}

type Probe<T> = () => T | Promise<T>;

/**
 * Waits until the probe gives something truthy, and gives that. The bound is far beyond what a busy
 * machine needs: it is there to end a wait for what will never be, with a sentence that says what was
 * waited for (the probe's own source, unless it is described) and what was seen last. An error of the
 * probe's ends the wait at once.
 */
export async function until<T>(probe: Probe<T>): Promise<Truthy<T>>;
export async function until<T>(
  what: string,
  probe: Probe<T>,
  options?: UntilOptions,
): Promise<Truthy<T>>;
export async function until<T>(
  first: string | Probe<T>,
  second?: Probe<T>,
  { withinMs = WITHIN_MS, seen }: UntilOptions = {},
): Promise<Truthy<T>> {
  const [what, probe] =
    typeof first === "string" ? [first, second] : [`\`${first.toString()}\` holds`, first];
  if (!probe) throw new Error("until needs a probe");
  const end = now() + withinMs;
  for (let pause = 0; ; pause = Math.min(pause + 1, LONGEST_PAUSE_MS)) {
    const isLast = now() >= end; // asked before the probe: what it sees after a long pause counts
    const value = await probe();
    if (value) return value as Truthy<T>;
    if (isLast) {
      const last = Bun.inspect(seen ? await seen() : value);
      throw new Error(`waited ${withinMs} ms in vain until ${what}; last seen: ${last}`);
    }
    await sleep(pause);
  }
}

const LATE = Symbol("late");

/** Waits for a promise, no longer than `until` waits. */
export async function within<T>(
  what: string,
  promise: Promise<T>,
  { withinMs = WITHIN_MS, seen }: UntilOptions = {},
): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = startTimer(() => resolve(LATE), withinMs);
  try {
    const value = await Promise.race([promise, late]);
    if (value !== LATE) return value;
  } finally {
    stopTimer(timer);
  }
  const last = seen ? `; last seen: ${Bun.inspect(await seen())}` : "";
  throw new Error(`waited ${withinMs} ms in vain until ${what}${last}`);
}

/**
 * Waits as `until` does, and calls the probe at each change of what it looks at. For what may hold only
 * for a moment: a probe that is called from time to time would miss it.
 */
export async function untilChange<T>(
  what: string,
  source: { subscribe(listener: () => void): () => void },
  probe: () => T,
  options: UntilOptions = {},
): Promise<Truthy<T>> {
  const first = probe();
  if (first) return first as Truthy<T>;
  const { promise, resolve, reject } = Promise.withResolvers<Truthy<T>>();
  const unsubscribe = source.subscribe(() => {
    try {
      const value = probe();
      if (value) resolve(value as Truthy<T>);
    } catch (error) {
      reject(error);
    }
  });
  try {
    return await within(what, promise, { seen: probe, ...options });
  } finally {
    unsubscribe();
  }
}
