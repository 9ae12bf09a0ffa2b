import { sha256 } from "../sha256.ts";

/** The kinds of code and settings of a folder that have an effect once the folder is trusted. */
export type FindingKind =
  | "hook"
  | "command" // a program in a setting, such as apiKeyHelper
  | "mcp-server"
  | "variable"
  | "permission" // allows calls without a request
  | "plugin"
  | "script" // a shell command inside a slash command or skill
  | "git" // a program in the Git configuration of the repository
  | "setting" // any other setting that is not known to be harmless
  | "unreadable"; // cannot be shown and therefore cannot be trusted

/** One item of code or settings of a folder. A person reads `text` before trusting it. */
export interface Finding {
  /** Stays the same as long as the item itself stays the same. */
  readonly id: string;
  readonly kind: FindingKind;
  /** The file that contains it. */
  readonly source: string;
  readonly text: string;
  /** Why a person should look at this one closely. */
  readonly warning?: string;
}

/** All findings of a folder at one moment. */
export interface FolderScan {
  /** The real path of the folder. */
  readonly folder: string;
  readonly findings: readonly Finding[];
  /** The hash of all findings. */
  readonly hash: string;
}

/** A longer text is too long to be reviewed and cannot be trusted. */
const MAX_CHARACTERS = 64 * 1024;

/** Creates a finding. `identity` contains everything that identifies it, if that is more than the text. */
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
    const shown = `This is too long to be shown in full (${text.length} characters), so it cannot be trusted: ${beginning}…`;
    return { id, kind: "unreadable", source, text: shown };
  }
  return { id, kind, source, text, ...(warning !== undefined && { warning }) };
}

/** Creates a permission. Its id does not depend on the file, so allowing it permanently also trusts it. */
export function createPermission(source: string, text: string, warning?: string): Finding {
  const id = getPermissionId(text);
  return { id, kind: "permission", source, text, ...(warning !== undefined && { warning }) };
}

export function getPermissionId(text: string): string {
  return sha256(JSON.stringify(["permission", text]));
}

export function hashFindings(findings: readonly Finding[]): string {
  return sha256(
    findings
      .map(({ id }) => id)
      .toSorted()
      .join("\n"),
  );
}

/** The findings that are not trusted. Unreadable ones can never be trusted. */
export function getUntrustedFindings(
  { findings }: Pick<FolderScan, "findings">,
  trusted: ReadonlySet<string>,
): Finding[] {
  return findings.filter(({ id, kind }) => kind === "unreadable" || !trusted.has(id));
}
