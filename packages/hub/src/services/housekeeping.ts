import type { Housekeeping as HousekeepingSettings } from "@signalbox/api";
import { housekeeping } from "@signalbox/api/schemas";
import type { Actor } from "../actor.ts";
import type { Clocks } from "../clocks.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Session } from "../session/session.ts";
import { TRASH_MS } from "../session/trash.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import { parseStored } from "./loaded-settings.ts";

const SETTING = "housekeeping";
const DAY_MS = 24 * 3_600_000;
const hub: Actor = { device: "hub", name: "the hub", role: "driver" };

interface HousekeepingOptions {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly clocks: Clocks;
  readonly deleteSession: (id: string, by: Actor) => Promise<void>;
}

/** Archives sessions that are idle for long, if a person wants that, and deletes what was in the trash for 30 days. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  #settings: HousekeepingSettings;

  private constructor(options: HousekeepingOptions, settings: HousekeepingSettings) {
    this.#options = options;
    this.#settings = settings;
  }

  static async load(options: HousekeepingOptions): Promise<Housekeeping> {
    const stored = await options.store.setting(SETTING);
    const settings = stored === undefined ? undefined : parseStored(housekeeping, stored);
    return new Housekeeping(options, settings ?? { archiveAfterDays: null });
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

  /** Called once a minute. */
  async tidy(): Promise<void> {
    const { sessions, deleteSession } = this.#options;
    for (const session of sessions.list()) {
      try {
        if (this.#isExpired(session)) await deleteSession(session.id, hub);
        else if (this.#isAbandoned(session)) await session.write({ archived: true });
      } catch {
        // The store cannot be written now; the next round tries again.
      }
    }
  }

  #isExpired({ row: { trashedAt } }: Session): boolean {
    return trashedAt !== null && this.#options.clocks.now() - trashedAt >= TRASH_MS;
  }

  #isAbandoned(session: Session): boolean {
    const days = this.#settings.archiveAfterDays;
    const { row, alive, openAsks, prompts, summary } = session;
    if (days === null || alive || openAsks.length > 0 || prompts.hasWaiting) return false;
    if (row.pinned || row.archived || row.trashedAt !== null) return false;
    return this.#options.clocks.now() - summary.changedAt >= days * DAY_MS;
  }
}
