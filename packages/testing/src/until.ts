/** Taken now, because tests replace clocks and timers later. */
const now = performance.now.bind(performance);
const { sleep } = Bun;

/** Shorter than a test's own limit, so that the sentence below is what is read. */
const WITHIN_MS = 120_000;
const LONGEST_PAUSE_MS = 25;

type Truthy<T> = Exclude<T, false | undefined | null | 0 | "">;

export interface UntilOptions {
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
