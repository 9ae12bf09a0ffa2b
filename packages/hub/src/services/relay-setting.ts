import * as z from "zod";
import type { Actor } from "../actor.ts";
import { digestParts, type SettingsCheck } from "../devices/audited-settings.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import { LoadedSettings, parseStored } from "./loaded-settings.ts";

const SETTING = "relay";
const settingSchema = z.object({ on: z.boolean().optional() });

/** Whether agents may dial in, as an approver has set it. The relay is opened when the hub starts. */
export class RelaySetting {
  /** Part of a sentence that names the setting if the audit does not confirm it: then it is off. */
  readonly refused: readonly string[];
  readonly #store: Store;
  #on: boolean;

  private constructor(store: Store, on: boolean, refused: readonly string[]) {
    this.#store = store;
    this.#on = on;
    this.refused = refused;
  }

  static async load(store: Store, check?: SettingsCheck): Promise<RelaySetting> {
    const stored = await store.setting(SETTING);
    const setting = stored === undefined ? {} : parseStored(settingSchema, stored);
    const audit = new LoadedSettings(store, check);
    const isConfirmed = setting !== undefined && (await audit.confirms(SETTING, setting));
    if (!isConfirmed) audit.refuse("the relay in the settings");
    return new RelaySetting(store, isConfirmed && setting.on === true, audit.refused);
  }

  isOn(): boolean {
    return this.#on;
  }

  async set(on: boolean, by: Actor): Promise<void> {
    const next = { on };
    const facts = { ...next, before: this.#on, ...digestParts(next) };
    await this.#store.commit([
      { kind: "setting", key: SETTING, value: JSON.stringify(next) },
      createAuditChange("relay-set", by, null, facts),
    ]);
    this.#on = on;
  }
}
