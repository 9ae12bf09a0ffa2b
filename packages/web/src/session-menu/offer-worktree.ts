import { openWorktree } from "../navigation/overlays.ts";
import type { AppContext } from "../store/app-context.tsx";

/**
 * Asks what becomes of the worktree that a session is in, before the session is archived or deleted. Without one, or
 * if its machine cannot be asked, the session alone is.
 */
export async function offerWorktree(
  { client }: Pick<AppContext, "client">,
  session: string,
  proceed: () => void,
): Promise<void> {
  const worktrees = await client.git.worktrees(session).catch(() => []);
  const worktree = worktrees.find(({ current, main }) => current && !main);
  if (!worktree) return proceed();
  const mainBranch = worktrees.find(({ main }) => main)?.branch ?? null;
  openWorktree({ session, worktree, mainBranch, proceed });
}
