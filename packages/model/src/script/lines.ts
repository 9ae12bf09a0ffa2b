import { ModelError } from "../errors.ts";

/** A directive as written: its word, the rest of its line, and a heredoc's body if it had one. */
export type SourceLine = { line: number; text: string; word: string; rest: string; body?: string };

const heredoc = /(?:^|\s)<<([A-Za-z_][A-Za-z0-9_]*)$/;

/** The lines of a script file: everything but comments and blanks. */
export function fileLines(source: string): SourceLine[] {
  return gather(source, (text) => {
    const trimmed = text.trim();
    return trimmed === "" || trimmed.startsWith("#") ? undefined : trimmed;
  });
}

/** The lines of a prompt that are meant for the model: those that begin with `::`. */
export function promptLines(prompt: string): SourceLine[] {
  return gather(prompt, (text) => {
    if (!text.startsWith("::")) return undefined;
    const trimmed = text.slice(2).trim();
    return trimmed === "" || trimmed.startsWith("#") ? undefined : trimmed;
  });
}

function gather(source: string, directiveIn: (text: string) => string | undefined): SourceLine[] {
  const lines = source.split(/\r?\n/);
  const found: SourceLine[] = [];
  for (let at = 0; at < lines.length; at++) {
    const text = lines[at] ?? "";
    const directive = directiveIn(text);
    if (directive === undefined) continue;
    const source = { line: at + 1, text, ...split(directive) };
    const tag = heredoc.exec(source.rest)?.[1];
    if (tag === undefined) {
      found.push(source);
      continue;
    }
    const end = lines.findIndex((line, index) => index > at && line.trim() === tag);
    if (end === -1) {
      const why = `this text has no end: a line with ${tag} alone must follow`;
      throw new ModelError("SCRIPT_INVALID", { line: source.line, text, why });
    }
    const rest = source.rest.replace(heredoc, "").trim();
    found.push({ ...source, rest, body: lines.slice(at + 1, end).join("\n") });
    at = end;
  }
  return found;
}

function split(directive: string): { word: string; rest: string } {
  const [, word = "", rest = ""] = /^(\S+)\s*([^]*)$/.exec(directive) ?? [];
  return { word, rest };
}
