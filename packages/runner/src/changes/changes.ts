import type { FolderOrder } from "@signalbox/api/link";
import { listFolderEntries } from "../files/list-entries.ts";
import { readSessionFile } from "../files/read-file.ts";
import { searchFiles } from "../files/search-files.ts";
import { resolveFolder } from "../supervise/folders.ts";
import { resolveAllowedFolder } from "../supervise/allowed-folders.ts";
import { switchBranch } from "./branches.ts";
import { createCommit, type FolderTrust } from "./commit.ts";
import { listChanges } from "./list-changes.ts";
import { createPullRequest, readPullRequest } from "./pull-request.ts";
import { pushBranch } from "./push.ts";
import { readDiff } from "./read-diff.ts";
import { readRemote } from "./remotes.ts";
import { readRepository } from "./read-repository.ts";
import { openRepository, type Repository } from "./repository.ts";
import { revertChange, undoRevert } from "./revert-change.ts";
import { RevertedFiles } from "./reverted-files.ts";
import { listWorktrees, mergeWorktree, removeWorktree } from "./worktrees.ts";
import { applyStash, stashChanges } from "./stash.ts";
import { stageChange, unstageChange } from "./stage-change.ts";

interface FolderChangesOptions {
  /** The folder in which the runner keeps what was reverted. */
  readonly revertsFolder: string;
}

/** Carries out the orders of the hub about the files and repositories of folders. */
export class FolderChanges {
  readonly #reverted: RevertedFiles;
  /** The last change of each repository, because two at a time would hinder each other. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(options: FolderChangesOptions) {
    this.#reverted = new RevertedFiles(options.revertsFolder);
  }

  /** `trust` says whether what a folder brings may run. */
  async execute(order: FolderOrder, trust: FolderTrust): Promise<unknown> {
    if (order.allowed) resolveAllowedFolder(order.folder, order.allowed);
    switch (order.kind) {
      case "list-changes":
        return listChanges(order.folder, order.against);
      case "read-diff":
        return readDiff(order);
      case "stage-change":
        return this.#change(order, (repository) => stageChange(repository, order.change));
      case "unstage-change":
        return this.#change(order, (repository) => unstageChange(repository, order.change));
      case "revert-change":
        return this.#change(order, (repository) =>
          revertChange(repository, this.#reverted, order.change, order.against),
        );
      case "undo-revert":
        return this.#change(order, (repository) =>
          undoRevert(repository, this.#reverted, order.undo),
        );
      case "read-repository":
        return readRepository(order, trust);
      case "commit":
        return this.#change(order, (repository) => createCommit(repository, order.commit, trust));
      case "switch-branch":
        return this.#change(order, (repository) => switchBranch(repository, order.to));
      case "stash":
        return this.#change(order, (repository) => stashChanges(repository, order.stash));
      case "unstash":
        return this.#change(order, (repository) => applyStash(repository, order));
      case "list-entries":
        return listFolderEntries(await resolveFolder(order.folder), order.path);
      case "read-file":
        return readSessionFile(await resolveFolder(order.folder), order.path);
      case "search-files":
        return searchFiles(await resolveFolder(order.folder), order.text);
      case "list-worktrees":
        return listWorktrees(await openRepository(order));
      case "merge-worktree":
        return this.#change(order, (repository) =>
          mergeWorktree(repository, order.merge, order.allowed),
        );
      case "remove-worktree":
        return this.#change(order, (repository) =>
          removeWorktree(repository, order.removal, order.allowed),
        );
      case "read-remote":
        return readRemote(await openRepository(order));
      case "push":
        return this.#change(order, (repository) => pushBranch(repository, order.push));
      case "create-pull-request":
        return createPullRequest(await openRepository(order), order.request);
      case "read-pull-request":
        return { found: await readPullRequest(await openRepository(order), order.of) };
      default:
        return order satisfies never;
    }
  }

  /** Changes a repository when the changes before are done. */
  async #change<T>(
    order: Pick<FolderOrder, "folder" | "allowed">,
    work: (repository: Repository) => Promise<T>,
  ): Promise<T> {
    const { common } = await openRepository(order);
    const before = this.#last.get(common);
    // Opened again when it is its turn, because the change before may have been of its configuration.
    const doing = (before ?? Promise.resolve()).then(async () => work(await openRepository(order)));
    const settled = Promise.allSettled([doing]);
    this.#last.set(common, settled);
    void settled.then(() => this.#last.get(common) === settled && this.#last.delete(common));
    return doing;
  }
}
