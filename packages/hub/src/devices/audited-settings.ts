import { createHash } from "node:crypto";
import { canonicalJson } from "@signalbox/api/proof";
import { createAuditChange } from "../store/audit-change.ts";
import type { AuditRow, Change } from "../store/store.ts";

type Entry = Omit<AuditRow, "hash" | "signature">;
type Facts = AuditRow["facts"];

/** The entry that states each setting which decides what agents may do. */
const settingEntries = {
  agents: "agents-set",
  environments: "environments-set",
  "session-defaults": "session-defaults-set",
  "allowed-folders": "allowed-folders-set",
  "project-options": "project-options-set",
  "embedding-origins": "embedding-origins-set",
  relay: "relay-set",
} as const;
export type CheckedSetting = keyof typeof settingEntries;

/** Written once, when the settings of a hub that did not audit their digests are opened for the first time. */
const ADOPTED = "settings-adopted";

/** What a setting is checked with when it is loaded. */
export interface SettingsCheck {
  /** Whether the audit has this value of a setting; one that was never set has no parts. */
  confirms(setting: CheckedSetting, parts: SettingParts, salt?: string): boolean;
  /** The entry that adopts a value which was set before digests were audited. */
  adopt(setting: CheckedSetting, parts: SettingParts, salt?: string): Change | undefined;
  /** The facts of the newest entry about a setting. */
  findNewest(setting: CheckedSetting): Readonly<Record<string, unknown>> | undefined;
}
/** A setting by the names of its parts, each as it is stored. */
export type SettingParts = Readonly<Record<string, unknown>>;

/**
 * What the audit says about settings. Rows of the table `settings` carry no signature, so that whoever can
 * write the database could give every agent a flag with which it asks for nothing; the signed entries of the
 * audit hold a digest of what a person has really set.
 */
export class AuditedSettings implements SettingsCheck {
  readonly #statements = new Map<CheckedSetting, { facts: Facts; isOurs: () => boolean }[]>();

  note({ what, facts }: Entry, isOurs: () => boolean): void {
    for (const setting of Object.keys(settingEntries) as CheckedSetting[]) {
      const isAdoption = what === ADOPTED && facts["setting"] === setting;
      if (what !== settingEntries[setting] && !isAdoption) continue;
      const statements = this.#statements.get(setting) ?? [];
      statements.push({ facts, isOurs });
      this.#statements.set(setting, statements);
    }
  }

  confirms(setting: CheckedSetting, parts: SettingParts, salt = ""): boolean {
    return isConfirmed(this.findNewest(setting)?.["digests"], parts, salt);
  }

  /** Only what somebody has set is adopted: a row without any entry was written by nobody whom the hub knows. */
  adopt(setting: CheckedSetting, parts: SettingParts, salt = ""): Change | undefined {
    const newest = this.findNewest(setting);
    if (!newest || newest["digests"] !== undefined) return undefined;
    const facts = { setting, ...digestParts(parts, salt) };
    this.#statements.get(setting)?.push({ facts, isOurs: () => true });
    return createAuditChange(ADOPTED, null, null, facts);
  }

  findNewest(setting: CheckedSetting): Facts | undefined {
    return this.#statements.get(setting)?.findLast(({ isOurs }) => isOurs())?.facts;
  }
}

/**
 * The fact of an audit entry that confirms a setting later. Many people read the audit, and a secret may be
 * easy to guess: a value that is a text is digested together with `salt`, which is stored beside the setting.
 */
export function digestParts(parts: SettingParts, salt = ""): { digests: Record<string, string> } {
  const digests = Object.entries(parts).map(([name, value]) => {
    const digested = canonicalJson([typeof value === "string" ? salt : "", name, value]);
    return [name, createHash("sha256").update(digested).digest("hex")] as const;
  });
  return { digests: Object.fromEntries(digests) };
}

/** Whether the parts are those of the digests. A part that is null is a value that a backup has left out. */
function isConfirmed(audited: unknown, parts: SettingParts, salt: string): boolean {
  const known = new Map(Object.entries((audited ?? {}) as Record<string, unknown>));
  const digests = Object.entries(digestParts(parts, salt).digests);
  return (
    digests.length === known.size &&
    digests.every(([name, value]) => parts[name] === null || known.get(name) === value)
  );
}
