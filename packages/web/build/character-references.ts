import { createRequire } from "node:module";
import type { Plugin } from "vite";

const LIBRARY = "decode-named-character-reference";
const VIRTUAL_ID = "\0character-references";
const MAX_NAME_LENGTH = 6;

/** Letters, punctuation, currencies, arrows, mathematics, card suits, stars and check marks. */
const ranges = [
  [0x00, 0x180],
  [0x391, 0x3d6],
  [0x2002, 0x2044],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2194],
  [0x21d0, 0x21d4],
  [0x2200, 0x22c5],
  [0x2308, 0x230b],
  [0x25ca, 0x25ca],
  [0x2605, 0x2606],
  [0x2660, 0x2666],
  [0x2713, 0x2717],
] as const;

/**
 * Replaces the decoder of character references such as `&copy;`. The library's form for browsers writes
 * markup, which Trusted Types refuse, and its table of all 2,125 names is 11 kB of the first load. This table
 * has the names that people write; others stay as they are written.
 */
export function characterReferences(): Plugin {
  return {
    name: "character-references",
    enforce: "pre",
    resolveId: (id) => (id === LIBRARY ? VIRTUAL_ID : null),
    load: async (id) => (id === VIRTUAL_ID ? createModule(await listReferences()) : null),
  };
}

/** The names with the characters they stand for. */
export async function listReferences(): Promise<Readonly<Record<string, string>>> {
  const requireHere = createRequire(import.meta.url);
  const requireThere = createRequire(requireHere.resolve(LIBRARY));
  const { characterEntities } = (await import(requireThere.resolve("character-entities"))) as {
    readonly characterEntities: Readonly<Record<string, string>>;
  };
  const common = Object.entries(characterEntities).filter(
    ([name, text]) => name.length <= MAX_NAME_LENGTH && isCommon(text),
  );
  return Object.fromEntries(common);
}

function isCommon(text: string): boolean {
  const [character, ...others] = text;
  const code = character?.codePointAt(0) ?? Infinity;
  return others.length === 0 && ranges.some(([first, last]) => code >= first && code <= last);
}

function createModule(references: Readonly<Record<string, string>>): string {
  return `const references = new Map(Object.entries(${JSON.stringify(references)}));
export const decodeNamedCharacterReference = (name) => references.get(name) ?? false;
`;
}
