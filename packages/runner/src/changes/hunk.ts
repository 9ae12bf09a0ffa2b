/** What `git diff` printed of one file. */
interface Patch {
  readonly header: Buffer;
  readonly hunks: readonly Buffer[];
}

const HUNK_START = Buffer.from("\n@@ ");

/** Splits the change of one file into its hunks. Contents may hold any byte, so bytes are split. */
export function splitPatch(printed: Buffer): Patch {
  const starts: number[] = [];
  for (let at = printed.indexOf(HUNK_START); at !== -1; at = printed.indexOf(HUNK_START, at + 1)) {
    starts.push(at + 1);
  }
  const hunks = starts.map((start, nth) => printed.subarray(start, starts[nth + 1]));
  return { header: printed.subarray(0, starts[0] ?? printed.length), hunks };
}

/** The hunk that was shown as this text. */
export function findHunk({ hunks }: Patch, text: string): Buffer | undefined {
  return hunks.find((hunk) => hunk.toString() === text);
}

/**
 * A patch of one hunk, for `git apply`. It changes the lines alone: not the file's mode, and not its name, which
 * a rename would change. A file that is added or deleted has one hunk, and keeps its header.
 */
export function createPatch({ header }: Patch, hunk: Buffer): Buffer {
  const lines = header.toString("latin1").split("\n");
  const [old = "", current = ""] = ["--- ", "+++ "].map(
    (start) => lines.find((line) => line.startsWith(start)) ?? "",
  );
  const isWhole = old === "--- /dev/null" || current === "+++ /dev/null";
  if (isWhole) return Buffer.concat([header, hunk]);
  const name = current.slice(4);
  const oldName = name.replace(/^("?)b\//, "$1a/");
  // Names in this line end at a tab only in the other two.
  const git = `diff --git ${trimTab(oldName)} ${trimTab(name)}`;
  const short = `${git}\n--- ${oldName}\n+++ ${name}\n`;
  return Buffer.concat([Buffer.from(short, "latin1"), hunk]);
}

const trimTab = (name: string) => name.replace(/\t$/, "");
