import type { FolderContents } from "@signalbox/api";
import { createMachineAwayRefusal, type RunnerLink } from "../link/runner-link.ts";
import { createNoSuchRunnerRefusal, type RunnerLinks } from "../link/runner-links.ts";
import { HubRefusal } from "../refusal.ts";
import { type AllowedFolders, requireAllowedFolder } from "./allowed-folders.ts";
import type { Machines } from "./machines.ts";
import { resolveFolder } from "./resolve-folder.ts";

interface SessionFoldersOptions {
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

  /** Refuses a runner that is not known. A known one may be away; the session then waits for it. */
  requireRunner(runner: string): void {
    const names = this.#options.machines.listNames();
    if (!names.has(runner)) throw createNoSuchRunnerRefusal(422, runner, names);
  }

  /**
   * The folders below which a driver may start sessions on a machine. Refuses a runner of an older version on
   * another machine, because it does not enforce the limit and nobody else can.
   */
  listAllowed(runner: string): readonly string[] {
    const link = this.#findLink(runner);
    if (link && link.home === undefined && !link.own) {
      const detail = `The runner of the machine ${link.machine} is older than this hub and cannot check the allowed folders. Update it, or start the session from an approver's device.`;
      throw new HubRefusal(409, "runner-too-old", detail);
    }
    return this.#options.allowed.list(runner);
  }

  /**
   * Resolves links in the session's folder, so that one folder of a machine is one project. The runner of
   * another machine is asked if it is connected, and it checks again when a run starts; while it is away, the
   * path is stored as given.
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

  /**
   * Refuses an environment whose folder of Claude Code's configuration, and so whose account, does not exist.
   * Claude Code would create an empty one and behave as if nobody had ever logged in.
   */
  async requireConfigFolder(
    runner: string,
    { CLAUDE_CONFIG_DIR: folder }: Readonly<Record<string, string>>,
    profile: string | undefined,
  ): Promise<void> {
    if (folder === undefined) return;
    try {
      await this.require(runner, folder);
    } catch (why) {
      if (!(why instanceof HubRefusal) || why.code === "runner-away") throw why;
      const whose = profile === undefined ? "the environment" : `the profile "${profile}"`;
      const detail = `CLAUDE_CONFIG_DIR of ${whose} cannot be used. ${why.message} Restore the folder, log in to it with \`claude\`, or change the profile in the settings.`;
      throw new HubRefusal(422, "bad-environment", detail);
    }
  }

  /**
   * Makes a worktree before the session is stored, so that a worktree that cannot be made leaves no session
   * behind.
   */
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

  /** The folder's real path on another machine; undefined while its runner is away. */
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
