import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { AllowedFoldersView } from "@signalbox/api";
import {
  FOLDER_NOT_ALLOWED,
  isFolderAllowed,
  describeFolderNotAllowed,
} from "@signalbox/runner/supervise";
import * as z from "zod";
import { digestParts, type SettingsCheck } from "../devices/audited-settings.ts";
import { HubRefusal } from "../refusal.ts";
import { createAuditChange, type AuditActor } from "../store/audit-change.ts";
import type { SessionRow, Store } from "../store/store.ts";
import { isDriver, isLimitedToAllowedFolders } from "../session/driver-limits.ts";
import { LoadedSettings, parseStored } from "./loaded-settings.ts";

const SETTING = "allowed-folders";
const settingSchema = z.record(z.string(), z.array(z.string()));
const startTerminal = { name: "the terminal that started the hub" };

interface AllowedFoldersOptions {
  readonly store: Store;
  readonly ownRunner: string;
  readonly relayRunner?: string | undefined;
  /** The folders for the hub's own machine; they replace what was stored before. */
  readonly initial?: readonly string[];
  /** The home folder of the user that a runner runs as; undefined while that is not known. */
  getHome(runner: string): string | undefined;
  listRows(): Iterable<SessionRow>;
}

export class AllowedFolders {
  readonly #options: AllowedFoldersOptions;
  /** The folders that an admin has set, by the runner's id. */
  #settings: Readonly<Record<string, readonly string[]>> = {};
  /** The stored folders did not count: where none are set since, none are allowed. */
  #areRefused = false;

  constructor(options: AllowedFoldersOptions) {
    this.#options = options;
  }

  /**
   * Loads the stored folders. If the audit does not confirm them, none is allowed on any machine until an
   * admin sets them again; returned is a part of a sentence that says so.
   */
  async load(check?: SettingsCheck): Promise<readonly string[]> {
    const { store, ownRunner, initial: atStart } = this.#options;
    const stored = await store.setting(SETTING);
    const settings = stored === undefined ? {} : parseStored(settingSchema, stored);
    const audit = new LoadedSettings(store, check);
    if (settings && (await audit.confirms(SETTING, settings))) this.#settings = settings;
    else {
      audit.refuse("the allowed folders in the settings");
      this.#areRefused = true;
    }
    if (!atStart) return audit.refused;
    const folders = atStart.map((folder) => realpathSync(folder));
    if (Bun.deepEquals(this.#settings[ownRunner], folders)) return audit.refused;
    if (store.health.writable) await this.set(ownRunner, folders, startTerminal);
    else this.#settings = { ...this.#settings, [ownRunner]: folders };
    return audit.refused;
  }

  /** The real paths of the folders that are allowed on this runner's machine. */
  list(runner: string): readonly string[] {
    const { relayRunner, ownRunner } = this.#options;
    // The runner for agents that dial in is on the hub's machine.
    const { chosen, fromSessions } = this.#collect(runner === relayRunner ? ownRunner : runner);
    return [...new Set([...chosen, ...fromSessions])];
  }

  /**
   * The folders in which a session's folder has to be when somebody looks at it; no list means that it may be
   * anywhere. Where an agent that dials in works is only what it says itself, or the driver who invited it.
   */
  getSessionLimits(row: SessionRow): { allowed?: string[] } {
    const isLimited = row.runner === this.#options.relayRunner || isLimitedToAllowedFolders(row);
    return isLimited ? { allowed: [...this.list(row.runner)] } : {};
  }

  toView(runner: string, machine: string): AllowedFoldersView {
    const { chosen, isDefault, fromSessions } = this.#collect(runner);
    return { runner, machine, folders: [...chosen], isDefault, fromSessions: [...fromSessions] };
  }

  #collect(runner: string) {
    const set = this.#settings[runner] ?? (this.#areRefused ? [] : undefined);
    const chosen = set ?? this.#getHomeFolders(runner);
    const fromSessions = new Set<string>();
    for (const row of this.#options.listRows()) {
      const { startedBy } = row.options;
      if (row.runner !== runner || startedBy === undefined) continue;
      if (!isDriver({ role: startedBy })) fromSessions.add(row.folder);
    }
    return { chosen, isDefault: set === undefined, fromSessions };
  }

  #getHomeFolders(runner: string): readonly string[] {
    const home = this.#options.getHome(runner);
    if (home !== undefined) return [home];
    if (runner !== this.#options.ownRunner) return []; // a remote runner that has not reported its home folder yet
    try {
      return [realpathSync(homedir())];
    } catch {
      return [];
    }
  }

  /** Sets the allowed folders, given as real paths; null restores the home folder. */
  async set(runner: string, folders: readonly string[] | null, by: AuditActor): Promise<void> {
    const { [runner]: _, ...others } = this.#settings;
    const next = folders ? { ...others, [runner]: [...new Set(folders)] } : others;
    const value = JSON.stringify(next);
    await this.#options.store.commit([
      { kind: "setting", key: SETTING, value },
      createAuditChange("allowed-folders-set", by, null, { runner, folders, ...digestParts(next) }),
    ]);
    this.#settings = next;
  }
}

/**
 * Refuses a folder outside of the allowed ones. `real` is a real path of the hub's own machine; the runner
 * checks again when the session starts.
 */
export function requireAllowedFolder(real: string, allowed: readonly string[]): void {
  if (isFolderAllowed(real, allowed)) return;
  throw new HubRefusal(403, FOLDER_NOT_ALLOWED, describeFolderNotAllowed(real, allowed));
}
