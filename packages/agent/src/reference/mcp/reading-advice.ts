/** A result as it lies in a file. */
export interface Spelled {
  readonly text: string;
  /** What it is the JSON of; absent: it is plain text. */
  readonly json?: unknown;
}

/** Lines above this do not fit into one reading, and Read cannot split a line. */
const LONGEST_LINE = 100_000;

/** How the model is to go about a result that lies in a file because it is too large. */
export function instructions(spelled: Spelled, path: string): string {
  const { size, format, hint, note } = adviceOn(spelled, path);
  return [
    `Error: result (${size}) exceeds maximum allowed tokens. Output has been saved to ${path}.`,
    `Format: ${format}`,
    hint,
    "REQUIREMENTS FOR SUMMARIZATION/ANALYSIS/REVIEW:",
    `- You MUST read the content from the file at ${path} in sequential chunks until 100% of the content has been read.`,
    ...(note === undefined ? [] : [`- Note: ${note}`]),
    "- If you receive truncation warnings when reading the file, reduce the chunk size until you have read 100% of the content without truncation.",
    "- Before producing ANY summary or analysis, you MUST explicitly describe what portion of the content you have read. ***If you did not read the entire content, you MUST explicitly state this.***",
    "- If after a few attempts you cannot read the file (file not found, lines too long for Read's offset/limit, no shell access), STOP retrying. Summarize what you were able to read, explicitly state which portion you could not read and why, and proceed.",
    "",
  ].join("\n");
}

interface Advice {
  readonly size: string;
  readonly format: string;
  readonly hint: string;
  readonly note?: string;
}

function adviceOn({ text, json }: Spelled, path: string): Advice {
  const chars = `${text.length.toLocaleString("en-US")} characters`;
  if (json !== undefined) {
    return {
      size: chars,
      format: `${Array.isArray(json) ? "JSON array" : "JSON"} with schema: ${outline(json)}`,
      hint: "Use jq to make structured queries (find a value, filter by field).",
      note: `this file is JSON, so a long value (or the whole file) is a single line. Read's offset/limit cannot split a line, so reading in chunks works only if every line is short. If a shell tool is available, first probe the structure (e.g., jq 'type, length, keys?' ${path}), then extract slices with jq or python.`,
    };
  }
  const lines = text.replace(/\n$/, "").split("\n");
  const count = `${lines.length.toLocaleString("en-US")} line${lines.length === 1 ? "" : "s"}`;
  const about = { size: `${chars} across ${count}`, format: "Plain text" };
  const isSplit = lines.length > 1 && lines.every((line) => line.length <= LONGEST_LINE);
  if (isSplit) {
    return {
      ...about,
      hint: "Use offset and limit parameters to read specific portions of the file, search within it for specific content, and jq to make structured queries.",
    };
  }
  return {
    ...about,
    hint: "Search within the file for specific content, and use jq if the content is JSON.",
    note: "this file's lines are too long for Read's offset/limit chunking. If a shell tool is available, slice by character range (e.g. python read()[A:B], dd, or cut -c) instead.",
  };
}

/** The shape of a value, two levels deep. */
export function outline(value: unknown, depth = 2): string {
  if (value === null) return "null";
  if (Array.isArray(value)) {
    return value.length === 0 ? "[]" : `[${outline(value[0], depth - 1)}]`;
  }
  if (typeof value !== "object") return typeof value;
  if (depth <= 0) return "{...}";
  const entries = Object.entries(value);
  const shown = entries.slice(0, 10).map(([name, one]) => `${name}: ${outline(one, depth - 1)}`);
  return `{${[...shown, ...(entries.length > 10 ? ["..."] : [])].join(", ")}}`;
}
