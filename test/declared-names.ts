export interface AvoidedNames {
  /** Words that no type may be named after, as `Door` in `StreamDoor`. */
  readonly inTypes: ReadonlySet<string>;
  /** Names that nothing may have. */
  readonly names: ReadonlySet<string>;
  /** Endings that no function's name may have. */
  readonly functionEndings: readonly string[];
  /** Beginnings that no constant's name may have. */
  readonly beginnings: readonly string[];
}

/**
 * Reads the rows of the table under "Words to avoid": in the first column stand, in backticks, words of types
 * (`Door`), whole names (`wordGiven`), endings of functions (`…Of`), and beginnings of constants (`MOST_…`).
 */
export function readAvoidedNames(page: string): AvoidedNames {
  const section = /^#+ Words to avoid\n([\s\S]*?)(?=^#)/m.exec(page)?.[1] ?? "";
  const rows = [...section.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = ""]) => cell);
  const words = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one));
  return {
    inTypes: new Set(words.filter((word) => /^[A-Z][^…]*$/.test(word))),
    names: new Set(words.filter((word) => /^[a-z]/.test(word))),
    functionEndings: words.filter((word) => word.startsWith("…")).map((word) => word.slice(1)),
    beginnings: words.filter((word) => word.endsWith("…")).map((word) => word.slice(0, -1)),
  };
}

const comment = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g;
const typeName = /\b(?:class|interface|type|enum)\s+([A-Z][\w$]*)/g;
const functionName =
  /\bfunction\*?\s+([\w$]+)|\b(?:const|let)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:<[^>=]*>\s*)?(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[\w$]+)(?:\s*:[^=;]+)?\s*=>|^\s*(?:(?:static|async|override|private|protected)\s+)*#?([\w$]+)(?:<[^>]*>)?\([^()]*(?:\([^()]*\)[^()]*)*\)(?:\s*:[^;{]+)?\s*\{/gm;
const anyName =
  /\b(?:const|let|function\*?|class|interface|type|enum)\s+([\w$]+)|^\s*(?:(?:static|async|override|private|protected|readonly|get|set)\s+)*#?([\w$]+)[?!]?\s*(?:[:=(<])/gm;

/** The names that a source file declares and that are to be avoided. */
export function findAvoidedNames(text: string, avoided: AvoidedNames): string[] {
  const code = text.replaceAll(comment, " ");
  const all = (pattern: RegExp) =>
    [...code.matchAll(pattern)].map(([, ...names]) => names.find(Boolean) ?? "");
  const words = (name: string) => name.match(/[A-Z][a-z0-9]*/g) ?? [];
  return [
    ...all(typeName).filter((name) => words(name).some((word) => avoided.inTypes.has(word))),
    ...all(functionName).filter((name) =>
      avoided.functionEndings.some((ending) => name.endsWith(ending)),
    ),
    ...all(anyName).filter(
      (name) =>
        avoided.names.has(name) ||
        avoided.beginnings.some((beginning) => name.startsWith(beginning)),
    ),
  ];
}
