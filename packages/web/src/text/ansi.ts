/**
 * Parses the output of commands (C19). Colors and text styles from a closed list are kept; all other
 * sequences and control characters are dropped, including those that reorder text. Nothing in the result can
 * move the cursor, query, link or copy.
 */
export interface Style {
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly inverse?: true;
  /** 0 to 15: a color of the theme's palette; otherwise `#rrggbb`. */
  readonly color?: number | string;
  readonly background?: number | string;
}

interface Run {
  readonly text: string;
  readonly style: Style;
}

/**
 * Matches CSI sequences; OSC, DCS, SOS, PM and APC strings up to their end, or to the end of the line if they
 * have none, so that they cannot swallow what follows; other escapes; and the C1 forms.
 */
const sequence =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /(?:\u001b\[|\u009b)([0-?]*)([ -/]*)([@-~]?)|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\n]*?(?:\u0007|\u001b\\|\u009c|(?=\n)|$)|\u001b[ -/]*[0-~]?|\r(?!\n)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const plain: Style = {};

export function ansiRuns(text: string): Run[] {
  const source = overwritten(text);
  const runs: Run[] = [];
  let style = plain;
  let from = 0;
  for (const found of source.matchAll(sequence)) {
    push(runs, source.slice(from, found.index), style);
    from = found.index + found[0].length;
    if (found[3] === "m" && found[2] === "") style = restyled(style, found[1] ?? "");
  }
  push(runs, source.slice(from), style);
  return runs;
}

/** The text without colors. */
export function withoutAnsi(text: string): string {
  return ansiRuns(text)
    .map((run) => run.text)
    .join("");
}

/** Keeps only what was written after the last carriage return of each line, as a terminal shows it. */
function overwritten(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.replace(/\r+$/, ""))
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n");
}

function push(runs: Run[], text: string, style: Style): void {
  if (text === "") return;
  const last = runs.at(-1);
  if (last && last.style === style) runs[runs.length - 1] = { text: last.text + text, style };
  else runs.push({ text, style });
}

function restyled(style: Style, parameters: string): Style {
  if (!/^[\d;:]*$/.test(parameters)) return style; // private forms, such as `\e[?25m`
  const parts = parameters.split(";");
  let next = style;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? "";
    // `38:5:9` is one part, `38;5;9` are three.
    const colons = part.includes(":");
    const [code = 0, ...details] = (colons ? part.replace("::", ":") : part).split(":").map(Number);
    if (code === 38 || code === 48 || code === 58) {
      const { color, used } = extended(colons ? details : parts.slice(at + 1).map(Number));
      next = painted(next, code, color);
      if (!colons) at += used;
    } else next = styled(next, colons && details[0] === 0 ? code + 20 : code);
  }
  return next;
}

/** 58 sets the color of underlines, which is ignored, but its parameters have to be skipped. */
function painted(style: Style, code: number, color: number | string | undefined): Style {
  if (color === undefined || code === 58) return style;
  return { ...style, [code === 38 ? "color" : "background"]: color };
}

const switchedOn: Readonly<Record<number, Style>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
};
const switchedOff: Readonly<Record<number, readonly (keyof Style)[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
  39: ["color"],
  49: ["background"],
};

function styled(style: Style, code: number): Style {
  if (code === 0) return plain;
  const on = switchedOn[code];
  if (on) return { ...style, ...on };
  const off = switchedOff[code];
  if (off) {
    return Object.fromEntries(
      Object.entries(style).filter(([key]) => !off.includes(key as keyof Style)),
    );
  }
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  return style;
}

/** `5;n` of 256 colours, or `2;r;g;b`. */
function extended(codes: readonly number[]): { color?: number | string; used: number } {
  const [form, a = -1, b = -1, c = -1] = codes;
  if (form === 5) return a >= 0 && a <= 255 ? { color: indexed(a), used: 2 } : { used: 2 };
  if (form === 2) {
    const fits = [a, b, c].every((part) => part >= 0 && part <= 255);
    return fits ? { color: hex(a, b, c), used: 4 } : { used: 4 };
  }
  return { used: codes.length };
}

function indexed(index: number): number | string {
  if (index < 16) return index;
  if (index >= 232) return hex(...triple(8 + (index - 232) * 10));
  const level = (nth: number) => (nth === 0 ? 0 : 55 + nth * 40);
  const cube = index - 16;
  return hex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function triple(value: number): [number, number, number] {
  return [value, value, value];
}

function hex(red: number, green: number, blue: number): string {
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
