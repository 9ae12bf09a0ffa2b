import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Finding, createFinding } from "./finding.ts";
import { isFolder, findRepositoryRoot } from "./git-folders.ts";
import { isInsideRoot, readInside } from "./read-inside.ts";

/** Files whose text Claude Code sends to the model by itself. */
export const memoryFiles = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];

const TEXT_LIMIT = 1 << 20;
const MAX_FILES = 200;
const warning = "Claude Code sends its text to the model.";

/**
 * Finds text from outside of the repository that Claude Code reads because of CLAUDE.md: as a link, or through an
 * import (`@path`), also in an imported file.
 */
export function scanMemory(place: string, home: string): Finding[] {
  const root = findRepositoryRoot(place);
  const found = new Map<string, Finding>();
  const seen = new Set<string>();
  const add = (finding: Finding) => void found.set(finding.id, finding);
  const look = (path: string, source: string, what: string): void => {
    const real = resolveExisting(path);
    if (real === undefined || seen.has(real) || isFolder(real)) return; // a missing file is not read
    if (!isInsideRoot(root, real)) {
      const text = `${what} ${real}, which is outside of the repository`;
      return add(createFinding("setting", source, text, { warning }));
    }
    seen.add(real);
    const isTooMuch = seen.size > MAX_FILES;
    const read = readInside(root, real, TEXT_LIMIT);
    if (isTooMuch || read.kind === "unreadable") {
      const why = read.kind === "unreadable" ? read.why : `more than ${MAX_FILES} files`;
      return add(
        createFinding("unreadable", source, `Couldn't determine what is imported: ${why}.`),
      );
    }
    if (read.kind === "missing") return;
    for (const imported of findImports(read.text)) {
      for (const folder of new Set([dirname(path), dirname(real)])) {
        look(resolveImport(folder, imported, home), real, `@${imported} leads to`);
      }
    }
  };
  for (const name of memoryFiles) {
    const path = join(place, name);
    look(path, path, "It is a link to");
  }
  return [...found.values()];
}

/** Finds everything that may be an import, including those in code, which Claude Code ignores. */
function findImports(text: string): Set<string> {
  const named = [...text.matchAll(/@((?:[^\s\\]|\\ )+)/g)].map(([, path = ""]) => path);
  // A section (`#part`) and punctuation around the name are not part of the name.
  return new Set(
    named.flatMap((path) => {
      const plain = path.replaceAll("\\ ", " ");
      return [plain, plain.replace(/#.*$/, ""), plain.replace(/[)\]}>"'`*_.,;:!?]+$/, "")];
    }),
  );
}

function resolveImport(folder: string, path: string, home: string): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

function resolveExisting(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
