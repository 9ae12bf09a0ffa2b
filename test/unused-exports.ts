import { posix } from "node:path";
import type { SourceFile } from "./violations.ts";

const declaration =
  /^export (?:declare |abstract |async )*(function\*?|class|interface|type|const|let|enum) (\w+)/gm;
const namedImport = /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/g;
/** Takes everything that a file exports: a namespace, `import()`, and a type that is written with it. */
const wholeImport = /(?:\*(?:\s+as\s+\w+)?\s+from|\bimport)\s*\(?\s*["']([^"']+)["']/g;

/**
 * What files of the packages export although no file imports it. `resolve` turns the name of a package into
 * the file that it stands for; what `entries` export is for everybody.
 */
export function findUnusedExports(
  files: readonly SourceFile[],
  resolve: (specifier: string) => string | undefined,
  entries: ReadonlySet<string>,
): string[] {
  const used = new Set<string>();
  for (const { path, text } of files) {
    const target = (specifier: string) =>
      specifier.startsWith(".")
        ? posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ""))
        : resolve(specifier);
    for (const [, names = "", specifier = ""] of text.matchAll(namedImport)) {
      for (const each of names.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, "").split(",")) {
        const [name = ""] = each
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s+as\s+/);
        used.add(`${target(specifier)}: ${name}`);
      }
    }
    for (const [, specifier = ""] of text.matchAll(wholeImport))
      used.add(`${target(specifier)}: *`);
  }
  return files
    .filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !entries.has(path))
    .filter(({ path }) => !used.has(`${path}: *`))
    .flatMap(({ path, text }) => listExports(path, text).map((name) => `${path}: ${name}`))
    .filter((name) => !used.has(name));
}

/** By their spelling; the transpiler knows which values are exported, and not those that a text quotes. */
function listExports(path: string, text: string): string[] {
  const loader = path.endsWith(".tsx") ? "tsx" : "ts";
  const values = new Bun.Transpiler({ loader }).scan(text).exports;
  return [...text.matchAll(declaration)]
    .filter(
      ([, kind, name = ""]) => /^(?:interface|type)$/.test(kind ?? "") || values.includes(name),
    )
    .map(([, , name = ""]) => name);
}
