import { errorMessage } from "@signalbox/protocol/text";
import type {
  AppliedStash,
  BranchSwitch,
  Comparison,
  ContentMatches,
  CreatedCommit,
  FileContent,
  FolderListing,
  MergedWorktree,
  WorktreeMerge,
  WorktreeRemoval,
  WorktreeView,
  FileDiff,
  NewCommit,
  NewPullRequest,
  NewPush,
  NewStash,
  PullRequest,
  PullRequestPlace,
  PushResult,
  RemoteState,
  RepositoryState,
  RevertedChange,
  StagedChange,
  StashHandle,
  UndoHandle,
  WorkingChanges,
} from "@signalbox/api";
import type { FolderOrder, FolderOrderOfKind } from "@signalbox/api/link";
import type { RouteQuery } from "@signalbox/api/routes";
import type { Actor } from "../actor.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import { HubRefusal } from "../refusal.ts";
import { checkCommit, checkWorktreeRemoval } from "../session/driver-limits.ts";
import type { Sessions } from "../session/sessions.ts";
import type { AllowedFolders } from "./allowed-folders.ts";
import type { Branches } from "./branches.ts";
import type { Machines } from "./machines.ts";

interface ChangesServiceOptions {
  readonly store: Store;
  readonly machines: Machines;
  readonly sessions: Sessions;
  readonly allowed: AllowedFolders;
  readonly branches: Branches;
}

/** An order without the folder, which is that of the session. */
type OrderInFolder = FolderOrder extends infer One
  ? One extends FolderOrder
    ? Omit<One, "folder" | "allowed">
    : never
  : never;

/**
 * What has changed in the folders of sessions, and changes of it. Their machines look and act; the hub stores
 * nothing of it.
 */
export class ChangesService {
  readonly #options: ChangesServiceOptions;

  constructor(options: ChangesServiceOptions) {
    this.#options = options;
  }

  list(session: string, name: string): Promise<WorkingChanges> {
    const against = this.#parseComparison(session, name);
    return this.#send(session, { kind: "list-changes", against });
  }

  readDiff(
    session: string,
    query: RouteQuery<"GET /api/sessions/:session/working-changes/file">,
  ): Promise<FileDiff> {
    const { against: name, from, ...rest } = query;
    const against = this.#parseComparison(session, name);
    const renamed = from !== undefined && { from };
    return this.#send(session, { kind: "read-diff", ...rest, against, ...renamed });
  }

  /** `id` is that of the command: sent again, it is not carried out twice. */
  stage(id: string, session: string, change: StagedChange): Promise<void> {
    return this.#send(session, { kind: "stage-change", change }, id);
  }

  unstage(id: string, session: string, change: StagedChange): Promise<void> {
    return this.#send(session, { kind: "unstage-change", change }, id);
  }

  revert(id: string, session: string, reverted: RevertedChange): Promise<UndoHandle> {
    const { against: name, ...change } = reverted;
    const against = this.#parseComparison(session, name);
    return this.#send(session, { kind: "revert-change", against, change }, id);
  }

  undo(id: string, session: string, { undo }: UndoHandle): Promise<void> {
    return this.#send(session, { kind: "undo-revert", undo }, id);
  }

  readRepository(session: string): Promise<RepositoryState> {
    return this.#send(session, { kind: "read-repository" });
  }

  /** Makes a commit, and writes to the audit log who made it and which hooks ran, or that it failed. */
  async commit(id: string, session: string, commit: NewCommit, by: Actor): Promise<CreatedCommit> {
    checkCommit(by, commit);
    const hooks = commit.hooks ?? "none";
    try {
      const order = { kind: "commit", commit } as const;
      const made = await this.#send<CreatedCommit>(session, order, id);
      const { output: _, ...facts } = made;
      await this.#audit("committed", session, by, { ...facts, amended: commit.amend === true });
      return made;
    } catch (failure) {
      // Hooks are programs that ran, even if they refused the commit.
      if (commit.hooks !== undefined && commit.hooks !== "skip") {
        await this.#audit("commit-refused", session, by, { hooks, why: errorMessage(failure) });
      }
      throw failure;
    }
  }

  async switchBranch(id: string, session: string, to: BranchSwitch, by: Actor): Promise<void> {
    await this.#send(session, { kind: "switch-branch", to }, id);
    this.#options.branches.forget(this.#options.sessions.get(session).row);
    await this.#audit("branch-switched", session, by, {
      branch: to.branch,
      made: to.create === true,
    });
  }

  async stash(id: string, session: string, stash: NewStash, by: Actor): Promise<StashHandle> {
    const made = await this.#send<StashHandle>(session, { kind: "stash", stash }, id);
    await this.#audit("stashed", session, by, { ...made });
    return made;
  }

  async unstash(
    id: string,
    session: string,
    handle: StashHandle,
    by: Actor,
  ): Promise<AppliedStash> {
    const applied = await this.#send<AppliedStash>(session, { kind: "unstash", ...handle }, id);
    await this.#audit("unstashed", session, by, { ...handle });
    return applied;
  }

  listEntries(session: string, path: string): Promise<FolderListing> {
    return this.#send(session, { kind: "list-entries", path });
  }

  readFile(session: string, path: string): Promise<FileContent> {
    return this.#send(session, { kind: "read-file", path });
  }

  searchFiles(session: string, text: string): Promise<ContentMatches> {
    return this.#send(session, { kind: "search-files", text });
  }

  listWorktrees(session: string): Promise<WorktreeView[]> {
    return this.#send(session, { kind: "list-worktrees" });
  }

  async mergeWorktree(
    id: string,
    session: string,
    merge: WorktreeMerge,
    by: Actor,
  ): Promise<MergedWorktree> {
    const order = { kind: "merge-worktree", merge } as const;
    const merged = await this.#send<MergedWorktree>(session, order, id);
    await this.#audit("worktree-merged", session, by, { ...merge, ...merged });
    return merged;
  }

  /** Removes a worktree in which no agent runs. Giving up work in it takes an approver. */
  async removeWorktree(
    id: string,
    session: string,
    removal: WorktreeRemoval,
    by: Actor,
  ): Promise<void> {
    checkWorktreeRemoval(by, removal);
    const { sessions } = this.#options;
    const { runner } = sessions.get(session).row;
    const { folder } = removal;
    const inside = sessions
      .listByRunner(runner)
      .find(({ row }) => row.run !== null && isBelow(row.folder, folder));
    if (inside) {
      const detail = `An agent runs in ${folder}: stop the session "${inside.row.title}" first.`;
      throw new HubRefusal(409, "worktree-in-use", detail);
    }
    await this.#send(session, { kind: "remove-worktree", removal }, id);
    await this.#audit("worktree-removed", session, by, removal);
  }

  readRemote(session: string): Promise<RemoteState> {
    return this.#send(session, { kind: "read-remote" });
  }

  readPullRequest(session: string, of: PullRequestPlace): Promise<{ found: PullRequest | null }> {
    return this.#send(session, { kind: "read-pull-request", of });
  }

  /** Pushes the current branch. That somebody wanted to is written before it leaves the machine. */
  async push(id: string, session: string, push: NewPush, by: Actor): Promise<PushResult> {
    await this.#audit("push-started", session, by, push);
    try {
      return await this.#send<PushResult>(session, { kind: "push", push }, id);
    } catch (failure) {
      await this.#audit("push-failed", session, by, { ...push, why: errorMessage(failure) });
      throw failure;
    }
  }

  async createPullRequest(
    id: string,
    session: string,
    request: NewPullRequest,
    by: Actor,
  ): Promise<PullRequest> {
    const { body: _, ...facts } = request;
    await this.#audit("pull-request-started", session, by, facts);
    const order = { kind: "create-pull-request", request } as const;
    const made = await this.#send<PullRequest>(session, order, id);
    await this.#audit("pull-request-created", session, by, { url: made.url });
    return made;
  }

  async #audit(
    what: string,
    session: string,
    by: Actor,
    facts: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.#options.store.commit([createAuditChange(what, by, session, facts)]);
  }

  /** Sends an order about the session's folder. A folder that a driver chose is checked again. */
  async #send<T>(session: string, order: OrderInFolder, id?: string): Promise<T> {
    const { machines, sessions, allowed } = this.#options;
    const { row } = sessions.get(session);
    const { folder, runner } = row;
    const limits = allowed.getSessionLimits(row);
    const whole = { ...order, folder, ...limits } as FolderOrderOfKind<FolderOrder["kind"]>;
    return (await machines.sendOrder(runner, whole, id)) as T;
  }

  /** `name` has been checked against the contract: `start`, `commit:NAME`, or the kind itself. */
  #parseComparison(session: string, name: string): Comparison {
    const { createdAt } = this.#options.sessions.get(session).row;
    if (name === "start") return { kind: "time", at: createdAt };
    if (name === "index" || name === "staged") return { kind: name };
    if (name.startsWith("commit:")) {
      return { kind: "commit", revision: name.slice("commit:".length) };
    }
    return { kind: "head" };
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
