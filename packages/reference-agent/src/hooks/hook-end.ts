/** How a hook of the settings ended. */
export interface HookEnd {
  /** The exit code of a command or the status of a server; undefined if there is neither. */
  readonly code?: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The hook did not do its work: it was too late, or its answer is unusable. */
  readonly failure?: "late" | "unusable";
}
