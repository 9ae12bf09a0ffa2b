import type { AllowedFoldersView, FolderContents, NewAllowedFolders } from "@signalbox/api";
import type { Actor } from "../actor.ts";
import { isDriver } from "../session/driver-limits.ts";
import type { Sessions } from "../session/sessions.ts";
import type { AllowedFolders } from "./allowed-folders.ts";
import type { Machines } from "./machines.ts";
import { resolveFolder } from "./resolve-folder.ts";

interface FolderServiceOptions {
  readonly machines: Machines;
  readonly sessions: Sessions;
  readonly allowed: AllowedFolders;
  readonly ownRunner: string;
  readonly relayRunner: string | undefined;
}

/** Lists folders on the machines, and the folders below which drivers may start sessions. */
export class FolderService {
  readonly #options: FolderServiceOptions;

  constructor(options: FolderServiceOptions) {
    this.#options = options;
  }

  /** Lists a folder's contents. A driver sees only the allowed folders and what is below them. */
  list(runner: string | undefined, path: string | undefined, by: Actor): Promise<FolderContents> {
    const { machines, ownRunner } = this.#options;
    const limits = this.getLimits(by, runner ?? ownRunner);
    const order = { kind: "list-folder", ...(path !== undefined && { path }), ...limits } as const;
    return machines.sendOrder(runner, order) as Promise<FolderContents>;
  }

  /**
   * Finds files of a session by a part of their path. If a driver made the session, its folder is checked
   * again, since it may have been replaced by a link since then.
   */
  findFiles(session: string, query: string): Promise<string[]> {
    const { machines, sessions, allowed } = this.#options;
    const { row } = sessions.get(session);
    const { folder, runner } = row;
    const limits = allowed.getSessionLimits(row);
    const order = { kind: "find-files", folder, query, ...limits } as const;
    return machines.sendOrder(runner, order) as Promise<string[]>;
  }

  /** Finds files below a folder of a machine, for a message to a session that does not exist yet. */
  findFilesBelow(
    runner: string | undefined,
    folder: string,
    query: string,
    by: Actor,
  ): Promise<string[]> {
    const { machines, ownRunner } = this.#options;
    const limits = this.getLimits(by, runner ?? ownRunner);
    const order = { kind: "find-files", folder, query, ...limits } as const;
    return machines.sendOrder(runner, order) as Promise<string[]>;
  }

  listAllowed(): AllowedFoldersView[] {
    const { machines, allowed, relayRunner } = this.#options;
    const withFolders = machines.list().filter(({ id }) => id !== relayRunner);
    return withFolders.map(({ id, machine }) => allowed.toView(id, machine));
  }

  async setAllowed(change: NewAllowedFolders, by: Actor): Promise<void> {
    const { allowed, ownRunner } = this.#options;
    const { runner = ownRunner, folders } = change;
    const real = folders && (await Promise.all(folders.map((each) => this.#resolve(runner, each))));
    await allowed.set(runner, real, by);
  }

  /** The folders that a device may look into on a machine; no list means that it may look anywhere. */
  getLimits(by: Actor, runner: string): { allowed?: string[] } {
    return isDriver(by) ? { allowed: [...this.#options.allowed.list(runner)] } : {};
  }

  /** Resolves a folder to its real path on its machine. */
  async #resolve(runner: string, folder: string): Promise<string> {
    const { machines, ownRunner } = this.#options;
    if (runner === ownRunner) return resolveFolder(true, folder);
    const order = { kind: "list-folder", path: folder } as const;
    return ((await machines.sendOrder(runner, order)) as FolderContents).path;
  }
}
