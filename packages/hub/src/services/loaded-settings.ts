import * as z from "zod";
import type { CheckedSetting, SettingParts, SettingsCheck } from "../devices/audited-settings.ts";
import type { Store } from "../store/store.ts";

/** Checks stored settings against the audit while they are loaded. */
export class LoadedSettings {
  readonly refused: string[] = [];
  readonly #store: Store;
  readonly #check: SettingsCheck | undefined;

  constructor(store: Store, check: SettingsCheck | undefined) {
    this.#store = store;
    this.#check = check;
  }

  async confirms(setting: CheckedSetting, parts: SettingParts, salt?: string): Promise<boolean> {
    if (!this.#check) return true;
    const adoption = this.#check.adopt(setting, parts, salt);
    if (adoption) await this.#store.commit([adoption]).catch(() => {}); // the next start tries again
    return this.#check.confirms(setting, parts, salt);
  }

  /** `what` is a part of a sentence. */
  refuse(what: string): void {
    this.refused.push(what);
  }
}

/** The stored value; undefined: it cannot be read, so that this hub did not write it. */
export function parseStored<T>(schema: z.ZodType<T>, stored: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}
