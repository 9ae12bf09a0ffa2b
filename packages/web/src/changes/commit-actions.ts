import type { ChangedFile, CreatedCommit } from "@signalbox/api";
import type { AppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import type { OpenRepository } from "./use-repository.ts";

const text = strings.changes.commit;

interface CommitOptions {
  readonly session: string;
  readonly message: string;
  readonly isAmend: boolean;
  /** Whether hooks that may run do so. */
  readonly runsHooks: boolean;
  readonly repository: OpenRepository;
}

/** Whether the index or the files hold something that is not committed. */
export function isUncommitted({ staged, unstaged }: ChangedFile): boolean {
  return staged || unstaged;
}

/** Commits what is staged, or else every file that has changed. */
export async function commitChanges(
  options: CommitOptions,
  { client, toasts }: AppContext,
): Promise<CreatedCommit | undefined> {
  const { session, message, isAmend, runsHooks, repository } = options;
  try {
    // The comparison that is shown may be another one.
    const now = await client.workingChanges(session, "head");
    const files = now.repository ? now.files.filter(isUncommitted) : [];
    const isAnyStaged = files.some(({ staged }) => staged);
    const chosen = files.map(({ path, from }) => ({ path, ...(from !== undefined && { from }) }));
    const made = await client.git.commit(session, {
      message,
      ...(!isAnyStaged && chosen.length > 0 && { files: chosen }),
      ...(isAmend && { amend: true }),
      ...chooseHooks(repository, runsHooks),
    });
    toasts.show(text.done(made.commit.slice(0, 7), inert(made.subject)));
    return made;
  } catch (failure) {
    toasts.showError(text.couldNotCommit, failure);
    return undefined;
  }
}

function chooseHooks({ hooks }: OpenRepository, runsHooks: boolean): { hooks?: string } {
  if (!hooks) return {};
  return { hooks: hooks.trusted && runsHooks ? hooks.hash : "skip" };
}

/** Sets aside what is not committed, and offers to put it back. */
export async function stashChanges(
  session: string,
  { client, toasts }: AppContext,
  onDone: () => void,
): Promise<void> {
  try {
    const handle = await client.git.stash(session);
    const undo = async () => {
      try {
        await client.git.unstash(session, handle);
        onDone();
      } catch (failure) {
        toasts.showError(text.couldNotUnstash, failure);
      }
    };
    toasts.show(text.stashed, {
      actions: [{ label: strings.changes.actions.undo, run: () => void undo() }],
    });
    onDone();
  } catch (failure) {
    toasts.showError(text.couldNotStash, failure);
  }
}

/** Puts back what was set aside last. */
export async function applyStash(
  session: string,
  stash: string,
  { client, toasts }: AppContext,
  onDone: () => void,
): Promise<void> {
  try {
    const { conflicts } = await client.git.unstash(session, { stash });
    toasts.show(conflicts.length > 0 ? text.stashConflicts(conflicts.length) : text.unstashed);
    onDone();
  } catch (failure) {
    toasts.showError(text.couldNotUnstash, failure);
  }
}

/** Switches to a branch, which is made if there is none of that name. */
export async function switchBranch(
  session: string,
  branch: string,
  isNew: boolean,
  { client, toasts }: AppContext,
  onDone: () => void,
): Promise<void> {
  try {
    await client.git.switchBranch(session, { branch, ...(isNew && { create: true }) });
    toasts.show(isNew ? text.branchMade(inert(branch)) : text.switched(inert(branch)));
    onDone();
  } catch (failure) {
    toasts.showError(text.couldNotSwitch, failure);
  }
}
