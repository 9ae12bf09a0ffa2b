/** The changes that a rewind would make or has made. */
export interface Rewind {
  readonly can: boolean;
  readonly why?: string;
  readonly files: readonly string[];
  readonly insertions: number;
  readonly deletions: number;
}

/** Parses the agent's answer to `rewind_files`. Missing fields count as zero. */
export function parseRewind(answer: unknown): Rewind {
  const fields = (typeof answer === "object" && answer !== null ? answer : {}) as {
    readonly [name: string]: unknown;
  };
  const files = Array.isArray(fields["filesChanged"]) ? fields["filesChanged"] : [];
  return {
    can: fields["canRewind"] === true,
    ...(typeof fields["error"] === "string" && { why: fields["error"] }),
    files: files.filter((file) => typeof file === "string"),
    insertions: count(fields["insertions"]),
    deletions: count(fields["deletions"]),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
