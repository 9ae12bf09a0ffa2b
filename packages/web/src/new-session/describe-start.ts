import { strings } from "../strings/strings.ts";

/** Describes what happens while the session is created. */
export function describeStart(worktree: string): string {
  const text = strings.newSession;
  return worktree.trim() === "" ? text.starting : text.creatingWorktree;
}
