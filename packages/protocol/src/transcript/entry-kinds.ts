/**
 * Entries of a transcript that are bookkeeping of Claude Code: they are kept in the log, and a
 * person is not shown them. Any other type that is not converted is shown as an unknown line.
 */
const bookkeeping = new Set([
  "agent-color",
  "agent-name",
  "agent-setting",
  "ai-title",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "attachment",
  "attribution-snapshot",
  "content-replacement",
  "cost-state",
  "custom-title",
  "file-history-delta",
  "file-history-snapshot",
  "last-prompt",
  "marble-origami-commit",
  "marble-origami-snapshot",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "relocated",
  "queue-operation",
  "speculation-accept",
  "started",
  "summary",
  "tag",
  "task-summary",
  "tools-used",
  "worktree-state",
]);

export function isBookkeeping(type: string): boolean {
  return bookkeeping.has(type);
}

/** Entries of type `system` that only tell the program about itself. */
const quietNotes = new Set([
  "agents_killed",
  "away_summary",
  "bridge_status",
  "file_snapshot",
  "memory_saved",
  "microcompact_boundary",
  "permission_retry",
  "scheduled_task_fire",
  "stop_hook_summary",
  "thinking",
  "turn_duration",
]);

export function isQuietNote(subtype: string): boolean {
  return quietNotes.has(subtype);
}
