/** Parses the output of ripgrep. Names are unchanged. */

interface FoundLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
  /** Marks a gap between two passages. */
  readonly isGap?: boolean;
}
export interface FoundLines {
  readonly name: string;
  readonly lines: readonly FoundLine[];
  /** The position of the first NUL. What follows may not be text. */
  readonly binaryAt?: number;
}

/** Reads names that end with NUL. An incomplete name is ignored. */
export function readNames(printed: string): string[] {
  return printed.split("\0").slice(0, -1);
}

export function readCounts(printed: string): { name: string; matches: number }[] {
  return [...printed.matchAll(/([^\0]*)\0(\d+)\n/g)].map(([, name = "", matches]) => ({
    name,
    matches: Number(matches),
  }));
}

const MAX_LINE = 500;

export function readLines(
  printed: string,
  { onlyMatching, hasGaps }: { onlyMatching: boolean; hasGaps: boolean },
): FoundLines[] {
  const files: { name: string; lines: FoundLine[]; binaryAt?: number }[] = [];
  for (const event of events(printed)) {
    if (event.type === "begin") files.push({ name: getText(event.data.path), lines: [] });
    const file = files.at(-1);
    if (!file) continue;
    if (event.type === "match" || event.type === "context") {
      const read = onlyMatching && event.type === "match" ? parts(event) : whole(event);
      const [last, next] = [file.lines.at(-1), read[0]];
      if (hasGaps && last && next && next.number > last.number + 1) {
        file.lines.push({ number: last.number, text: "", isMatch: false, isGap: true });
      }
      file.lines.push(...read);
    }
    if (event.type === "end" && typeof event.data.binary_offset === "number") {
      file.binaryAt = event.data.binary_offset;
      file.lines = file.lines.filter(({ text }) => !text.includes("\0"));
    }
  }
  return files;
}

function whole({ type, data }: RgEvent): FoundLine[] {
  const isMatch = type === "match";
  return getText(data.lines)
    .replace(/\n$/, "")
    .split("\n")
    .map((line, at) => ({
      number: (data.line_number ?? 0) + at,
      text: shortenLine(line.replace(/\r$/, ""), isMatch),
      isMatch,
    }));
}

/** Returns only the matches, each on a line of its own. */
function parts({ data }: RgEvent): FoundLine[] {
  const before = getBytes(data.lines);
  return (data.submatches ?? []).flatMap(({ match, start }) => {
    const skipped = before.subarray(0, start).filter((byte) => byte === 10).length;
    return getText(match)
      .split("\n")
      .map((line, at) => ({
        number: (data.line_number ?? 0) + skipped + at,
        text: shortenLine(line.replace(/\r$/, ""), true),
        isMatch: true,
      }));
  });
}

function shortenLine(line: string, isMatch: boolean): string {
  if (line.length <= MAX_LINE) return line;
  return isMatch ? "[Omitted long matching line]" : "[Omitted long context line]";
}

interface RgText {
  readonly text?: string;
  /** In Base64 if it is not UTF-8. */
  readonly bytes?: string;
}
interface RgEvent {
  readonly type: string;
  readonly data: {
    readonly path?: RgText;
    readonly lines?: RgText;
    readonly line_number?: number | null;
    readonly binary_offset?: number | null;
    readonly submatches?: readonly { readonly match: RgText; readonly start: number }[];
  };
}

function* events(printed: string): Generator<RgEvent> {
  for (const line of printed.split("\n")) {
    try {
      yield JSON.parse(line) as RgEvent;
    } catch {
      return; // This is the last line, which is empty or was cut because there was too much output.
    }
  }
}
const getText = (value: RgText | undefined): string =>
  value?.text ?? getBytes(value).toString("utf8");
const getBytes = (value: RgText | undefined): Buffer =>
  value?.text === undefined
    ? Buffer.from(value?.bytes ?? "", "base64")
    : Buffer.from(value.text, "utf8");
