/** How a hook of the settings ended. */
export interface HookEnd {
  /** A command's exit code or a server's status; absent where it never came to that. */
  readonly code?: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** It did not do its work: too late, or without an answer that can be used. */
  readonly failure?: "late" | "unusable";
}
