import * as z from "zod";
import type { Actor } from "../actor.ts";
import { digestParts, type SettingsCheck } from "../devices/audited-settings.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import { LoadedSettings, parseStored } from "./loaded-settings.ts";

const SETTING = "embedding-origins";
const settingSchema = z.object({ origins: z.array(z.string()).optional() });

/** The origins of other programs' pages that may use the hub, as an approver has listed them. */
export class EmbeddingOrigins {
  readonly #store: Store;
  readonly #listeners = new Set<() => void>();
  #origins: ReadonlySet<string> = new Set();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Loads the stored origins. If the audit does not confirm them, none is allowed; returned is a part of a
   * sentence that says so.
   */
  async load(check?: SettingsCheck): Promise<readonly string[]> {
    const stored = await this.#store.setting(SETTING);
    const setting = stored === undefined ? {} : parseStored(settingSchema, stored);
    const audit = new LoadedSettings(this.#store, check);
    if (setting && (await audit.confirms(SETTING, setting)))
      this.#origins = new Set(setting.origins);
    else audit.refuse("the embedding origins in the settings");
    return audit.refused;
  }

  has(origin: string): boolean {
    return this.#origins.has(origin);
  }

  list(): { origins: string[] } {
    return { origins: [...this.#origins] };
  }

  async set(origins: readonly string[], by: Actor): Promise<void> {
    const next = { origins: [...new Set(origins)] };
    const facts = { ...next, before: [...this.#origins], ...digestParts(next) };
    await this.#store.commit([
      { kind: "setting", key: SETTING, value: JSON.stringify(next) },
      createAuditChange("embedding-origins-set", by, null, facts),
    ]);
    this.#origins = new Set(next.origins);
    for (const listener of this.#listeners) listener();
  }

  /** Calls a listener whenever the list was changed. */
  onChanged(listener: () => void): void {
    this.#listeners.add(listener);
  }
}
