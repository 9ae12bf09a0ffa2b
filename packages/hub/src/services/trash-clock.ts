import * as z from "zod";
import type { Clocks } from "../clocks.ts";
import type { Store } from "../store/store.ts";
import { parseStored } from "./loaded-settings.ts";

const SETTING = "time-in-trash";
const settingSchema = z.object({ at: z.number(), inTrash: z.record(z.string(), z.number()) });

const HOUR_MS = 3_600_000;
/**
 * How much the system clock may be ahead of the time that this process has seen, at most, to count: while the hub
 * was off, or the machine asleep. A longer time is more likely a clock that was set wrong.
 */
const MAX_UNSEEN_MS = 7 * 24 * HOUR_MS;
/** What is lost of the count when the hub is killed. */
const SAVE_EVERY_MS = HOUR_MS;

/**
 * Counts how long each session has been in the trash. The system clock alone would not do: one that is set years
 * ahead would empty the trash at once.
 */
export class TrashClock {
  readonly #store: Store;
  readonly #clocks: Clocks;
  #inTrash: ReadonlyMap<string, number>;
  /** The system clock, and the one that nobody can set, when time was last counted. */
  #last: { readonly at: number; readonly steady: number };
  #savedAt: number;

  private constructor(store: Store, clocks: Clocks, stored: z.infer<typeof settingSchema>) {
    this.#store = store;
    this.#clocks = clocks;
    this.#inTrash = new Map(Object.entries(stored.inTrash));
    this.#last = { at: stored.at, steady: clocks.steady() };
    this.#savedAt = this.#last.steady;
  }

  static async load(store: Store, clocks: Clocks): Promise<TrashClock> {
    const stored = await store.setting(SETTING);
    const counted = stored === undefined ? undefined : parseStored(settingSchema, stored);
    return new TrashClock(store, clocks, counted ?? { at: clocks.now(), inTrash: {} });
  }

  /** How long a session has been in the trash. */
  get(session: string): number {
    return this.#inTrash.get(session) ?? 0;
  }

  /** Counts the time since the last call for the sessions that are in the trash now. */
  async count(sessions: readonly string[]): Promise<void> {
    const [at, steady] = [this.#clocks.now(), this.#clocks.steady()];
    const seen = Math.max(0, steady - this.#last.steady);
    const passed = Math.min(Math.max(at - this.#last.at, seen), seen + MAX_UNSEEN_MS);
    this.#last = { at, steady };
    const before = this.#inTrash;
    const count = (id: string) => {
      const known = before.get(id);
      return [id, known === undefined ? 0 : known + passed] as const;
    };
    this.#inTrash = new Map(sessions.map(count));
    const isSame = before.size === this.#inTrash.size && sessions.every((id) => before.has(id));
    if (isSame && (before.size === 0 || steady - this.#savedAt < SAVE_EVERY_MS)) return;
    const value = JSON.stringify({ at, inTrash: Object.fromEntries(this.#inTrash) });
    await this.#store.commit([{ kind: "setting", key: SETTING, value }]);
    this.#savedAt = steady;
  }
}
