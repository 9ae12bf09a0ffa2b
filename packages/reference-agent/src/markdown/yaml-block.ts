interface Line {
  readonly indent: number;
  readonly text: string;
}

/**
 * What stands below a key of a head, as far as people write YAML there: maps and lists in blocks,
 * texts plain, quoted or below `|` and `>`, and JSON. It throws at anything else.
 */
export function readBlock(head: string, key: string): unknown {
  const lines = head.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (at < 0) return undefined;
  const own = lines[at]!.slice(key.length + 1).trim();
  if (own !== "" && !own.startsWith("#")) return scalar(own);
  const end = lines.findIndex((line, place) => place > at && /^[^\s#-]/.test(line));
  const below = lines
    .slice(at + 1, end < 0 ? undefined : end)
    .filter((line) => /^\s*[^\s#]/.test(line))
    .map((line): Line => ({ indent: line.search(/\S/), text: line.trim() }));
  return below.length === 0 ? null : block(below);
}

function block(lines: readonly Line[]): unknown {
  return isItem(lines[0]) ? list(lines) : map(lines);
}

const isItem = (line: Line | undefined): boolean => /^-(?:\s|$)/.test(line?.text ?? "");

function list(lines: readonly Line[]): unknown[] {
  return groups(lines).map(([first, ...more]) => {
    const text = first.text.slice(1).trim();
    const indent = first.indent + first.text.length - text.length;
    if (text === "") return more.length === 0 ? null : block(more);
    return isPair(text) ? map([{ indent, text }, ...more]) : whole(text, more);
  });
}

const PAIR = /^("[^"]*"|'[^']*'|[\w./@-]+)\s*:(?:\s+(.*))?$/;
const isPair = (text: string): boolean => PAIR.test(text);

function map(lines: readonly Line[]): Record<string, unknown> {
  const pairs = groups(lines).map(([first, ...below]): [string, unknown] => {
    const [, name, value = ""] = PAIR.exec(first.text) ?? [];
    if (name === undefined) throw new Error(`"${first.text}" is not understood`);
    if (value !== "" && !value.startsWith("#")) return [String(scalar(name)), whole(value, below)];
    return [String(scalar(name)), below.length === 0 ? null : block(below)];
  });
  return Object.fromEntries(pairs);
}

/** Lines of one level, each with those that belong to it: the items of a list may stand right below its key. */
function groups(lines: readonly Line[]): [Line, ...Line[]][] {
  const level = lines[0]!.indent;
  const inList = isItem(lines[0]);
  const found: [Line, ...Line[]][] = [];
  for (const line of lines) {
    const begins = line.indent === level && isItem(line) === inList;
    if (begins) found.push([line]);
    else if (line.indent < level) throw new Error(`"${line.text}" stands too far to the left`);
    else found.at(-1)!.push(line);
  }
  return found;
}

/** A text of one line, or the lines below `|` or `>`. */
function whole(text: string, below: readonly Line[]): unknown {
  if (/^[|>][+-]?$/.test(text)) {
    return below.map((line) => line.text).join(text.startsWith("|") ? "\n" : " ");
  }
  if (below.length > 0) throw new Error(`"${below[0]!.text}" is not understood`);
  return scalar(text);
}

function scalar(text: string): unknown {
  if (text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (/^["[{]/.test(text)) return JSON.parse(text);
  const plain = text.replace(/\s+#.*$/, "");
  if (/^[*&!%@`]|: /.test(plain)) throw new Error(`"${plain}" is not understood`);
  if (/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(plain)) return JSON.parse(plain);
  return plain;
}
