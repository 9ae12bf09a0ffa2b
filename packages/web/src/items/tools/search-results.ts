/** The matches of a search in one file. */
export interface FileHits {
  readonly file: string;
  readonly lines: readonly Hit[];
}

interface Hit {
  readonly line?: number;
  readonly text: string;
  /** Whether the line is context around a match. */
  readonly isContext: boolean;
}

/** `path:12:text`, with `-` for lines around a hit; `--` between groups; `path:3` where hits are counted. */
const hit = /^(.+?)([:-])(\d+)\2(.*)$/;
const withoutNumber = /^((?:\/|\.{0,2}\/|[A-Za-z]:\\)?[^\s:]+):(.*)$/;

export function parseSearchOutput(content: string): FileHits[] {
  const files = new Map<string, Hit[]>();
  const add = (file: string, found: Hit) => {
    const lines = files.get(file);
    if (lines) lines.push(found);
    else files.set(file, [found]);
  };
  for (const line of content.split("\n")) {
    if (line === "" || line === "--") continue;
    const numbered = hit.exec(line);
    if (numbered) {
      const [, file = "", between, number, text = ""] = numbered;
      add(file, { line: Number(number), text, isContext: between === "-" });
      continue;
    }
    const [, file, text] = withoutNumber.exec(line) ?? [];
    add(file ?? "", { text: text ?? line, isContext: false });
  }
  return [...files].map(([file, lines]) => ({ file, lines }));
}
