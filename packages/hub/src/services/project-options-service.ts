import type { NewProjectOptions, NewSession, ProjectOptions } from "@signalbox/api";
import { projectOptions } from "@signalbox/api/schemas";
import * as z from "zod";
import type { Actor } from "../actor.ts";
import { requireAskingMode } from "../asks/asking-mode.ts";
import { digestParts, type SettingParts, type SettingsCheck } from "../devices/audited-settings.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { getForkOptions, getForkPolicy } from "../session/driver-limits.ts";
import { requireEffort } from "../session/session-options.ts";
import type { SessionDeps } from "../session/session.ts";
import { createAuditChange } from "../store/audit-change.ts";
import { LoadedSettings, parseStored } from "./loaded-settings.ts";
import type { SessionFolders } from "./session-folders.ts";
import type { DriverCatalog } from "./driver-catalog.ts";

const SETTING = "project-options";
const settingSchema = z.array(projectOptions);

interface ProjectOptionsServiceOptions {
  readonly deps: SessionDeps;
  readonly drivers: DriverCatalog;
  readonly folders: SessionFolders;
  readonly ownRunner: string;
}

/** The options that new sessions of a folder have by default. Approvers set them. */
export class ProjectOptionsService {
  readonly #options: ProjectOptionsServiceOptions;
  #projects: readonly ProjectOptions[] = [];

  constructor(options: ProjectOptionsServiceOptions) {
    this.#options = options;
  }

  /** Loads what is stored. If the audit does not confirm it, no project has defaults until they are set again. */
  async load(check?: SettingsCheck): Promise<readonly string[]> {
    const { store } = this.#options.deps;
    const stored = await store.setting(SETTING);
    const projects = stored === undefined ? [] : parseStored(settingSchema, stored);
    const audit = new LoadedSettings(store, check);
    if (projects && (await audit.confirms(SETTING, toParts(projects)))) this.#projects = projects;
    else audit.refuse("the defaults of projects in the settings");
    return audit.refused;
  }

  list(): ProjectOptions[] {
    return [...this.#projects];
  }

  async set({ runner: wanted, folder, options }: NewProjectOptions, by: Actor): Promise<void> {
    const { deps, folders, ownRunner } = this.#options;
    const runner = wanted ?? ownRunner;
    folders.requireRunner(runner);
    if (options) this.#requireUsable(options);
    // The defaults of a folder that is gone can still be removed.
    const real = options ? await folders.resolve(runner, folder) : folder;
    const others = this.#projects.filter((each) => each.runner !== runner || each.folder !== real);
    const next = options
      ? [...others, { runner, folder: real, options: omitUndefined(options) }]
      : others;
    const names = Object.keys(options ?? {});
    const facts = { runner, folder: real, names, ...digestParts(toParts(next)) };
    await deps.store.commit([
      { kind: "setting", key: SETTING, value: JSON.stringify(next) },
      createAuditChange("project-options-set", by, null, facts),
    ]);
    this.#projects = next;
  }

  /** A new session with the defaults of its folder, as far as its creator may have them. */
  apply(given: NewSession, runner: string, folder: string, by: Actor): NewSession {
    const found = this.#projects.find((each) => each.runner === runner && each.folder === folder);
    if (!found) return given;
    const { policy, ...others } = found.options;
    const defaults = {
      ...getForkOptions(by, others),
      ...(policy && { policy: getForkPolicy(by, policy) }),
    };
    const isUsed = ([name]: [string, unknown]) =>
      !given.withoutDefaults?.some((each) => each === name) &&
      given[name as keyof NewSession] === undefined;
    return { ...given, ...Object.fromEntries(Object.entries(defaults).filter(isUsed)) };
  }

  /** Refuses what no session could be created with. */
  #requireUsable(options: ProjectOptions["options"]): void {
    const { deps, drivers } = this.#options;
    requireAskingMode(options.mode);
    if (options.effort !== undefined) requireEffort(options.effort);
    if (options.driver !== undefined) drivers.requireKnown(options.driver);
    if (options.agent !== undefined) deps.getAgent(options.agent);
    deps.getEnvironment(options.environment);
  }
}

/** The defaults of each project are a part of the setting, which the audit confirms. */
function toParts(projects: readonly ProjectOptions[]): SettingParts {
  const parts = projects.map(({ runner, folder, options }) => [
    JSON.stringify([runner, folder]),
    options,
  ]);
  return Object.fromEntries(parts);
}
