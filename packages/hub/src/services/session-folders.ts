import type { FolderContents } from "@signalbox/api";
import { createMachineAwayRefusal, type RunnerLink } from "../link/runner-link.ts";
import { createNoSuchRunnerRefusal, type RunnerLinks } from "../link/runner-links.ts";
import { Refusal } from "../refusal.ts";
import { type AllowedFolders, requireAllowedFolder } from "./allowed-folders.ts";
import type { Machines } from "./machines.ts";
import { resolveFolder } from "./resolve-folder.ts";

export interface SessionFoldersOptions {
  readonly links: RunnerLinks;
  readonly machines: Machines;
  readonly allowed: AllowedFolders;
  readonly ownRunner: string;
  readonly relayRunner: string | undefined;
}

/** Resolves and checks the folders that a new session names, on whichever machine they are. */
export class SessionFolders {
  readonly #options: SessionFoldersOptions;

  constructor(options: SessionFoldersOptions) {
    this.#options = options;
  }

  /** Refuses a runner that nobody knows. One that is known and away is waited for. */
  requireRunner(runner: string): void {
    const names = this.#options.machines.listNames();
    if (!names.has(runner)) throw createNoSuchRunnerRefusal(422, runner, names);
  }

  /**
   * The folders below which a driver may start sessions on a machine. An older runner does not enforce the
   * limit, and on another machine nobody else can.
   */
  listAllowed(runner: string): readonly string[] {
    const link = this.#findLink(runner);
    if (link && link.home === undefined && !link.own) {
      const detail = `The runner of the machine ${link.machine} is older than this hub and cannot check the allowed folders. Update it, or start the session from an approver's device.`;
      throw new Refusal(409, "runner-too-old", detail);
    }
    return this.#options.allowed.list(runner);
  }

  /**
   * The session's folder without links, so that one folder of a machine is one project. The runner of
   * another machine is asked if it is connected, and checks again when a run starts; while it is away, the
   * path is taken as it was given.
   */
  async resolve(runner: string, folder: string, allowed?: readonly string[]): Promise<string> {
    const { ownRunner, relayRunner } = this.#options;
    const named = await resolveFolder(runner === ownRunner, folder);
    if (runner === relayRunner) return named;
    if (runner !== ownRunner) return (await this.#resolveRemote(runner, named, allowed)) ?? named;
    if (allowed) requireAllowedFolder(named, allowed);
    return named;
  }

  /** Refuses an extra folder that does not exist: the agent would not mention that it is missing. */
  async require(runner: string, folder: string, allowed?: readonly string[]): Promise<void> {
    const { ownRunner, relayRunner } = this.#options;
    const named = await resolveFolder(runner === ownRunner, folder);
    if (allowed && runner === ownRunner) requireAllowedFolder(named, allowed);
    if (runner === ownRunner || runner === relayRunner) return;
    await this.#resolveRemote(runner, named, allowed);
  }

  /** Makes a worktree before the session is made: where it cannot be made, there is no session either. */
  async makeWorktree(
    id: string,
    runner: string,
    folder: string,
    branch: string,
    allowed?: readonly string[],
  ): Promise<string> {
    const link = this.#findLink(runner);
    if (!link) throw createMachineAwayRefusal();
    const limits = allowed ? { allowed: [...allowed] } : {};
    const order = { kind: "make-worktree", folder, branch, ...limits } as const;
    return ((await link.sendOrder(`${id}.worktree`, order)) as { folder: string }).folder;
  }

  /** The folder's real path on another machine; undefined: its runner is away and cannot tell. */
  async #resolveRemote(
    runner: string,
    path: string,
    allowed?: readonly string[],
  ): Promise<string | undefined> {
    const limits = allowed ? { allowed: [...allowed] } : {};
    const order = { kind: "list-folder", path, ...limits } as const;
    const found = await this.#findLink(runner)?.sendOrder(crypto.randomUUID(), order);
    return (found as FolderContents | undefined)?.path;
  }

  #findLink(runner: string): RunnerLink | undefined {
    return this.#options.links.get(runner);
  }
}
