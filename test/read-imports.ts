export interface Import {
  readonly specifier: string;
  /** Written `import type` or `export type`: nothing of it is left when the code runs. */
  readonly typeOnly: boolean;
}

/** A quoted text or a template (kept), or a comment (dropped). */
const quotedOrComment =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const quoted = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
const statement =
  /^[ \t]*(?:import|export)\s+(type\s+(?!from\b))?[^"';=()]*\sfrom\s*["']([^"']+)/gm;
const typeExpression = /\bimport\s*\(\s*["']([^"']+)/g;

/**
 * Everything a source file imports. The transpiler finds what runs, `import()` and `require` too, but
 * drops what is for types: that is found by its spelling.
 */
export function readImports(path: string, text: string): Import[] {
  const loader = path.endsWith(".tsx") ? "tsx" : "ts";
  const runs = new Bun.Transpiler({ loader }).scanImports(text).map((found) => found.path);
  const found = new Map<string, boolean>();
  const code = withoutComments(text);
  for (const [, specifier = ""] of code.matchAll(typeExpression)) found.set(specifier, true);
  for (const [, type, specifier = ""] of code.matchAll(statement)) {
    found.set(specifier, type !== undefined && found.get(specifier) !== false);
  }
  for (const specifier of runs) found.set(specifier, false);
  return [...found].map(([specifier, typeOnly]) => ({ specifier, typeOnly }));
}

/** Whether the code speaks of Bun's global, as a value or a type. */
export function mentionsBun(text: string): boolean {
  return /\bBun\b/.test(withoutComments(text).replaceAll(quoted, '""'));
}

function withoutComments(text: string): string {
  return text.replaceAll(quotedOrComment, (_, kept: string | undefined) => kept ?? " ");
}
