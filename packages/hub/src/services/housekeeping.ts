import type { Housekeeping as HousekeepingSettings } from "@signalbox/api";
import { housekeeping } from "@signalbox/api/schemas";
import type { Actor } from "../actor.ts";
import type { Clocks } from "../clocks.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Session } from "../session/session.ts";
import { isTrashed, TRASH_MS } from "../session/trash.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import { parseStored } from "./loaded-settings.ts";
import { TrashClock } from "./trash-clock.ts";

const SETTING = "housekeeping";
const DAY_MS = 24 * 3_600_000;
const hub: Actor = { device: "hub", name: "the hub", role: "driver" };

interface HousekeepingOptions {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly clocks: Clocks;
  readonly deleteSession: (id: string, by: Actor) => Promise<void>;
  readonly stopSession: (id: string, by: Actor) => Promise<unknown>;
}

/** Archives sessions that are idle for long, if a person wants that, and deletes what was in the trash for 30 days. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  readonly #trashClock: TrashClock;
  readonly #stopping = new Set<string>();
  #settings: HousekeepingSettings;

  private constructor(
    options: HousekeepingOptions,
    settings: HousekeepingSettings,
    trashClock: TrashClock,
  ) {
    this.#options = options;
    this.#settings = settings;
    this.#trashClock = trashClock;
  }

  static async load(options: HousekeepingOptions): Promise<Housekeeping> {
    const stored = await options.store.setting(SETTING);
    const settings = stored === undefined ? undefined : parseStored(housekeeping, stored);
    const trashClock = await TrashClock.load(options.store, options.clocks);
    return new Housekeeping(options, settings ?? { archiveAfterDays: null }, trashClock);
  }

  get settings(): HousekeepingSettings {
    return this.#settings;
  }

  async set(settings: HousekeepingSettings, by: Actor): Promise<HousekeepingSettings> {
    await this.#options.store.commit([
      { kind: "setting", key: SETTING, value: JSON.stringify(settings) },
      createAuditChange("housekeeping-set", by, null, { ...settings }),
    ]);
    this.#settings = settings;
    await this.tidy();
    return settings;
  }

  /**
   * Ends runs in the trash, where nobody sees them: their machine was away, or they were about to start, when their
   * session was moved there. Called at every tick.
   */
  stopTrashed(): void {
    const { sessions, stopSession } = this.#options;
    for (const session of sessions.list()) {
      const { id, alive, link } = session;
      if (!isTrashed(session) || !alive || !link || this.#stopping.has(id)) continue;
      this.#stopping.add(id);
      void stopSession(id, hub)
        .catch(() => {}) // the runner is away again; the next tick tries again
        .finally(() => this.#stopping.delete(id));
    }
  }

  /** Called once a minute. */
  async tidy(): Promise<void> {
    const { sessions, deleteSession } = this.#options;
    const trashed = sessions.list().filter(isTrashed);
    await this.#trashClock.count(trashed.map(({ id }) => id)).catch(() => {}); // counted all the same
    for (const session of sessions.list()) {
      try {
        if (this.#isExpired(session)) await deleteSession(session.id, hub);
        else if (this.#isAbandoned(session)) await session.write({ archived: true });
      } catch {
        // The store cannot be written now; the next round tries again.
      }
    }
  }

  #isExpired(session: Session): boolean {
    return isTrashed(session) && this.#trashClock.get(session.id) >= TRASH_MS;
  }

  #isAbandoned(session: Session): boolean {
    const days = this.#settings.archiveAfterDays;
    const { row, alive, openAsks, prompts, summary } = session;
    if (days === null || alive || openAsks.length > 0 || prompts.hasWaiting) return false;
    if (row.pinned || row.archived || row.trashedAt !== null) return false;
    return this.#options.clocks.now() - summary.changedAt >= days * DAY_MS;
  }
}
