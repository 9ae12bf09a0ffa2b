/** A result as it is written to a file. */
export interface SerializedContent {
  readonly text: string;
  /** The value that was serialized as JSON; undefined for plain text. */
  readonly json?: unknown;
}

/** Longer lines do not fit into one result of Read, which cannot split a line. */
const LONGEST_LINE = 100_000;

/** Tells the model how to read a result that was stored in a file because it is too large. */
export function instructions(spelled: SerializedContent, path: string): string {
  const { size, format, how } = createAdvice(spelled, path);
  return [
    `Error: result (${size}) exceeds maximum allowed tokens. Output has been saved to ${path}.`,
    `Format: ${format}`,
    how,
    "Read as much of it as the task needs; for a summary or a review that is all of it, part by part. If a part comes back cut off, ask for smaller ones. In your answer say how much you have read. If it cannot be read after some tries, say which parts are missing and why, and go on with what you have.",
    "",
  ].join("\n");
}

interface Advice {
  readonly size: string;
  readonly format: string;
  /** How its parts can be read. */
  readonly how: string;
}

function createAdvice({ text, json }: SerializedContent, path: string): Advice {
  const chars = `${text.length.toLocaleString("en-US")} characters`;
  if (json !== undefined) {
    return {
      size: chars,
      format: `${Array.isArray(json) ? "JSON array" : "JSON"} with schema: ${describeShape(json)}`,
      how: `It is JSON, in which a line may be as long as the file: Read cannot split it. With a shell take out what you need by jq or python, after a look at its shape (jq 'type, length, keys?' ${path}).`,
    };
  }
  const lines = text.replace(/\n$/, "").split("\n");
  const count = `${lines.length.toLocaleString("en-US")} line${lines.length === 1 ? "" : "s"}`;
  const about = { size: `${chars} across ${count}`, format: "Plain text" };
  const isSplit = lines.length > 1 && lines.every((line) => line.length <= LONGEST_LINE);
  if (isSplit) {
    return { ...about, how: "Read it in parts with offset and limit, or search it." };
  }
  return {
    ...about,
    how: "Its lines are too long to be read by offset and limit. Search it, or take out ranges of characters with a shell (cut -c, dd, python).",
  };
}

/** Describes the shape of a value, two levels deep. */
function describeShape(value: unknown, depth = 2): string {
  if (value === null) return "null";
  if (Array.isArray(value)) {
    return value.length === 0 ? "[]" : `[${describeShape(value[0], depth - 1)}]`;
  }
  if (typeof value !== "object") return typeof value;
  if (depth <= 0) return "{...}";
  const entries = Object.entries(value);
  const shown = entries
    .slice(0, 10)
    .map(([name, one]) => `${name}: ${describeShape(one, depth - 1)}`);
  return `{${[...shown, ...(entries.length > 10 ? ["..."] : [])].join(", ")}}`;
}
