import { createHash } from "node:crypto";

/** What a folder brings that would run, or count, once the folder is trusted. */
export type FindingKind =
  | "hook"
  | "command" // a program that a setting names, such as apiKeyHelper
  | "mcp-server"
  | "variable"
  | "permission" // allowed without a request
  | "plugin"
  | "script" // a shell command inside a slash command or skill
  | "git" // a program that the repository's Git configuration runs
  | "setting" // any other setting that is not known to be harmless
  | "unreadable"; // cannot be shown, so it cannot be trusted either

/** One thing that a folder brings. `text` is what a person reads before trusting it. */
export interface Finding {
  /** Stays the same as long as what would run stays the same. */
  readonly id: string;
  readonly kind: FindingKind;
  /** The file that brings it. */
  readonly source: string;
  readonly text: string;
  /** Why this one deserves a second look. */
  readonly warning?: string;
}

/** Everything that a folder brings, at one moment. */
export interface FolderScan {
  /** As it really is (no links). */
  readonly folder: string;
  readonly findings: readonly Finding[];
  /** Of all findings together. */
  readonly hash: string;
}

/** What is longer cannot be read by a person, and so cannot be trusted. */
const MAX_CHARACTERS = 64 * 1024;

/** `identity` is everything that makes it this finding, where that is more than is shown. */
export function createFinding(
  kind: FindingKind,
  source: string,
  text: string,
  more: { readonly identity?: unknown; readonly warning?: string } = {},
): Finding {
  const { identity = text, warning } = more;
  const id = sha256(JSON.stringify([kind, source, identity]));
  if (text.length > MAX_CHARACTERS) {
    const beginning = text.slice(0, MAX_CHARACTERS);
    const shown = `It is too long to be shown whole (${text.length} characters), so it cannot be trusted: ${beginning}…`;
    return { id, kind: "unreadable", source, text: shown };
  }
  return { id, kind, source, text, ...(warning !== undefined && { warning }) };
}

/** A permission is the same wherever it is written: a person who allows it for good trusts it, too. */
export function createPermission(source: string, text: string, warning?: string): Finding {
  const id = getPermissionId(text);
  return { id, kind: "permission", source, text, ...(warning !== undefined && { warning }) };
}

export function getPermissionId(text: string): string {
  return sha256(JSON.stringify(["permission", text]));
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export function hashFindings(findings: readonly Finding[]): string {
  return sha256(
    findings
      .map(({ id }) => id)
      .toSorted()
      .join("\n"),
  );
}

/** The findings that nobody has trusted. What cannot be read cannot be trusted. */
export function getUntrustedFindings(
  { findings }: Pick<FolderScan, "findings">,
  trusted: ReadonlySet<string>,
): Finding[] {
  return findings.filter(({ id, kind }) => kind === "unreadable" || !trusted.has(id));
}
