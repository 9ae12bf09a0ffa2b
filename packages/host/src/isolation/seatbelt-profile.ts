import type { HiddenPath } from "../sandbox/hidden-paths.ts";

interface SeatbeltSetup {
  readonly hidden: readonly HiddenPath[];
  readonly readable: readonly string[];
  /** The only writable paths; undefined: everything that the user may write. */
  readonly writable?: readonly string[];
  /** Paths that are read-only in any case. */
  readonly readOnly?: readonly string[];
  /** A folder inside a hidden one that may be written. */
  readonly work?: string;
}

/**
 * Creates the profile for `sandbox-exec -p` of macOS: the same paths are hidden as on Linux, and
 * processes outside of the sandbox cannot be signalled or inspected. It has not been tested on a
 * Mac.
 */
export function seatbeltProfile({
  hidden,
  readable,
  writable,
  readOnly = [],
  work,
}: SeatbeltSetup): string {
  const rules = ["(version 1)", "(allow default)"];
  if (writable) {
    rules.push("(deny file-write*)");
    rules.push(`(allow file-write* ${writable.map(subpath).join(" ")} (subpath "/dev"))`);
  }
  if (readOnly.length > 0) rules.push(`(deny file-write* ${readOnly.map(subpath).join(" ")})`);
  rules.push("(deny signal)", "(allow signal (target same-sandbox))");
  rules.push("(deny process-info*)", "(allow process-info* (target same-sandbox))");
  rules.push("(deny mach-priv-task-port)");
  if (hidden.length > 0) {
    const places = hidden.map(({ path, isFolder }) => (isFolder ? subpath(path) : literal(path)));
    rules.push(`(deny file-read* file-write* ${places.join(" ")})`);
    rules.push(`(deny network-outbound ${places.join(" ")})`);
  }
  if (readable.length > 0) rules.push(`(allow file-read* ${readable.map(subpath).join(" ")})`);
  if (work !== undefined) rules.push(`(allow file-read* file-write* ${subpath(work)})`);
  return rules.join("\n");
}

function subpath(path: string): string {
  return `(subpath ${JSON.stringify(path)})`;
}

function literal(path: string): string {
  return `(literal ${JSON.stringify(path)})`;
}
