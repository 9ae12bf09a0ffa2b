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
  const said = (typeof answer === "object" && answer !== null ? answer : {}) as {
    readonly [name: string]: unknown;
  };
  const files = Array.isArray(said["filesChanged"]) ? said["filesChanged"] : [];
  return {
    can: said["canRewind"] === true,
    ...(typeof said["error"] === "string" && { why: said["error"] }),
    files: files.filter((file) => typeof file === "string"),
    insertions: count(said["insertions"]),
    deletions: count(said["deletions"]),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
