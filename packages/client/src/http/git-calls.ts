import type {
  AppliedStash,
  BranchSwitch,
  ContentMatches,
  CreatedCommit,
  FileContent,
  FolderListing,
  MergedWorktree,
  WorktreeMerge,
  WorktreeRemoval,
  WorktreeView,
  NewCommit,
  NewPush,
  PullRequest,
  PullRequestPlace,
  PushResult,
  RemoteState,
  RepositoryState,
  SentBody,
  StagedChange,
  StashHandle,
  UndoHandle,
} from "@signalbox/api";
import type { CallOptions } from "./caller.ts";
import type { Calls } from "./calls.ts";

/** Calls that change the files and the repository of a session's folder. */
export class GitCalls {
  readonly #calls: Pick<Calls, "call">;

  constructor(calls: Pick<Calls, "call">) {
    this.#calls = calls;
  }

  /** Puts a file, or a hunk of its change against `index`, into the index. */
  stage(session: string, change: StagedChange, call?: CallOptions): Promise<void> {
    const path = "POST /api/sessions/:session/working-changes/stage";
    return this.#calls.call(path, { params: { session }, body: change }, call);
  }
  /** Takes a file, or a hunk of its change against `staged`, out of the index. */
  unstage(session: string, change: StagedChange, call?: CallOptions): Promise<void> {
    const path = "POST /api/sessions/:session/working-changes/unstage";
    return this.#calls.call(path, { params: { session }, body: change }, call);
  }
  /** Makes a file or a hunk as it is in what it is compared with. */
  revert(
    session: string,
    change: SentBody<"POST /api/sessions/:session/working-changes/revert">,
    call?: CallOptions,
  ): Promise<UndoHandle> {
    const path = "POST /api/sessions/:session/working-changes/revert";
    return this.#calls.call(path, { params: { session }, body: change }, call);
  }
  /** Puts back what a revert has changed, byte for byte. */
  undo(session: string, handle: UndoHandle, call?: CallOptions): Promise<void> {
    const path = "POST /api/sessions/:session/working-changes/undo";
    return this.#calls.call(path, { params: { session }, body: handle }, call);
  }

  /** Where the repository stands: branch, last commit, the hooks of a commit, stashes. */
  repository(session: string): Promise<RepositoryState> {
    return this.#calls.call("GET /api/sessions/:session/repository", { params: { session } });
  }
  /** Commits what is staged, or some files. */
  commit(session: string, commit: NewCommit, call?: CallOptions): Promise<CreatedCommit> {
    const path = "POST /api/sessions/:session/repository/commit";
    return this.#calls.call(path, { params: { session }, body: commit }, call);
  }
  /** Switches to a branch, which may be new. */
  switchBranch(session: string, to: BranchSwitch, call?: CallOptions): Promise<void> {
    const path = "POST /api/sessions/:session/repository/switch";
    return this.#calls.call(path, { params: { session }, body: to }, call);
  }
  /** Sets aside what is not committed. */
  stash(
    session: string,
    stash: SentBody<"POST /api/sessions/:session/repository/stash"> = {},
    call?: CallOptions,
  ): Promise<StashHandle> {
    const path = "POST /api/sessions/:session/repository/stash";
    return this.#calls.call(path, { params: { session }, body: stash }, call);
  }
  /** Puts back what was set aside. */
  unstash(session: string, handle: StashHandle, call?: CallOptions): Promise<AppliedStash> {
    const path = "POST /api/sessions/:session/repository/unstash";
    return this.#calls.call(path, { params: { session }, body: handle }, call);
  }

  /** Where the current branch could be pushed. */
  remote(session: string): Promise<RemoteState> {
    const path = "GET /api/sessions/:session/repository/remote";
    return this.#calls.call(path, { params: { session } });
  }
  /** Pushes the current branch with the credentials of the person whose machine it is. */
  push(session: string, push: NewPush, call?: CallOptions): Promise<PushResult> {
    const path = "POST /api/sessions/:session/repository/push";
    return this.#calls.call(path, { params: { session }, body: push }, call);
  }
  /** Opens a pull request for a pushed branch. */
  createPullRequest(
    session: string,
    request: SentBody<"POST /api/sessions/:session/repository/pull-request">,
    call?: CallOptions,
  ): Promise<PullRequest> {
    const path = "POST /api/sessions/:session/repository/pull-request";
    return this.#calls.call(path, { params: { session }, body: request }, call);
  }
  /** The pull request of a branch, with its checks and review comments; null if there is none. */
  async pullRequest(session: string, of: PullRequestPlace): Promise<PullRequest | null> {
    const path = "GET /api/sessions/:session/repository/pull-request";
    return (await this.#calls.call(path, { params: { session }, query: of })).found;
  }

  /** The folders of the repository, with what each holds that would be lost with it. */
  worktrees(session: string): Promise<WorktreeView[]> {
    return this.#calls.call("GET /api/sessions/:session/worktrees", { params: { session } });
  }
  /** Merges a worktree's branch into the branch of the main folder. */
  mergeWorktree(
    session: string,
    merge: WorktreeMerge,
    call?: CallOptions,
  ): Promise<MergedWorktree> {
    const path = "POST /api/sessions/:session/worktrees/merge";
    return this.#calls.call(path, { params: { session }, body: merge }, call);
  }
  /** Removes a worktree. */
  removeWorktree(session: string, removal: WorktreeRemoval, call?: CallOptions): Promise<void> {
    const path = "POST /api/sessions/:session/worktrees/remove";
    return this.#calls.call(path, { params: { session }, body: removal }, call);
  }

  /** What is in a folder of the session; no path: the session's folder itself. */
  entries(session: string, path?: string): Promise<FolderListing> {
    const query = path === undefined || path === "" ? {} : { path };
    return this.#calls.call("GET /api/sessions/:session/folder", { params: { session }, query });
  }
  /** Reads a file of the session's folder. */
  readFile(session: string, path: string): Promise<FileContent> {
    const input = { params: { session }, query: { path } };
    return this.#calls.call("GET /api/sessions/:session/folder/file", input);
  }
  /** The lines of the session's files that hold a text. */
  searchFiles(session: string, text: string): Promise<ContentMatches> {
    const input = { params: { session }, query: { text } };
    return this.#calls.call("GET /api/sessions/:session/folder/search", input);
  }
}
