import type { ChangedFile } from "@signalbox/api";
import { decodeStrictly } from "@signalbox/host/git";

/** A file of a diff, without what only the index knows. */
export type DiffedFile = Omit<ChangedFile, "staged" | "unstaged">;

const SUBMODULE_MODE = "160000";
const NO_MODE = "000000";

/**
 * Reads what `git diff --raw --numstat -z` prints: first each file with its modes, then each with its lines. A
 * name may hold any byte but NUL, so bytes are split before they are decoded.
 */
export function parseDiff(output: Buffer): DiffedFile[] {
  const fields = output.toString("latin1").split("\0");
  const files = new Map<string, DiffedFile>();
  let at = 0;
  while (fields[at]?.startsWith(":") === true) {
    const [oldMode = "", newMode = "", , , letter = ""] = (fields[at] ?? "").slice(1).split(" ");
    const isMoved = /^[RC]/.test(letter);
    const first = fields[at + 1] ?? "";
    const path = isMoved ? (fields[at + 2] ?? "") : first;
    at += isMoved ? 3 : 2;
    files.set(
      path,
      createFile({ path, from: isMoved ? first : undefined, letter, oldMode, newMode }),
    );
  }
  for (; at < fields.length; at++) {
    const [added = "", removed = "", named = ""] = splitCounts(fields[at] ?? "");
    if (added === "") continue;
    const isMoved = named === "";
    const path = isMoved ? (fields[at + 2] ?? "") : named;
    if (isMoved) at += 2;
    const file = files.get(path);
    if (file) files.set(path, { ...file, added: toCount(added), removed: toCount(removed) });
  }
  return [...files.values()];
}

interface RawEntry {
  readonly path: string;
  readonly from: string | undefined;
  readonly letter: string;
  readonly oldMode: string;
  readonly newMode: string;
}

function createFile({ path, from, letter, oldMode, newMode }: RawEntry): DiffedFile {
  const hasBoth = oldMode !== NO_MODE && newMode !== NO_MODE;
  return {
    ...nameFile(path),
    ...(from !== undefined && { from: nameFile(from).path }),
    status: readStatus(letter),
    added: null,
    removed: null,
    ...(hasBoth && oldMode !== newMode && { mode: { from: oldMode, to: newMode } }),
    ...([oldMode, newMode].includes(SUBMODULE_MODE) && { submodule: true }),
  };
}

function readStatus(letter: string): ChangedFile["status"] {
  if (letter.startsWith("R")) return "renamed";
  if (letter.startsWith("A") || letter.startsWith("C")) return "added";
  if (letter.startsWith("D")) return "deleted";
  return letter.startsWith("U") ? "conflict" : "modified";
}

/** Splits `added TAB removed TAB path`, whose path may hold tabs. */
function splitCounts(field: string): [string, string, string] | [] {
  const match = /^(-|\d+)\t(-|\d+)\t([^]*)$/.exec(field);
  return match ? [match[1] ?? "", match[2] ?? "", match[3] ?? ""] : [];
}

/** Git prints `-` for a file that is not text. */
const toCount = (text: string) => (text === "-" ? null : Number(text));

/** Names that Git has printed, each ended by NUL. */
export function parseNames(output: Buffer): ReturnType<typeof nameFile>[] {
  const names = output.toString("latin1").split("\0");
  return names.filter((name) => name !== "").map(nameFile);
}

/** A path as it is shown and requested, from its bytes (one character for each). One that is not UTF-8 can only be shown. */
export function nameFile(bytes: string): Pick<ChangedFile, "path" | "unreadableName"> {
  const path = decodeStrictly(Buffer.from(bytes, "latin1"));
  if (path !== undefined) return { path };
  const shown = bytes.replaceAll(
    /[\u0080-\u00FF]/g,
    (byte) => `\\x${byte.charCodeAt(0).toString(16)}`,
  );
  return { path: shown, unreadableName: true };
}
