import { dirname, extname } from "node:path";
import { absolute } from "../files/paths.ts";
import { getProse } from "./prose.ts";

const MENTION = /(?<=^|\s|([*_~]))@((?:[^\s\\]|\\ )+)/gm;

/** Extensions of text files. A file without an extension counts as text, too. */
const names =
  "adoc asciidoc asm astro bash bat bazel c cc cfg cjs clj cljs cmake cmd coffee conf config cpp cs css csv cts cxx dart diff dockerfile edn eex ejs elm env erb erl ex exs f90 fish fs fsx gemspec go gql gradle graphql groovy h haml hbs hpp hrl hs htm html hxx ini ipynb java jinja jl js json json5 jsonc jsx kt kts less lhs liquid lock log lua m make markdown md mdx mjs mk ml mli mm mts mustache nim nix org pas patch php pl pm properties proto ps1 pug py pyi pyx r rake rb rs rst s sass sbt scala scss sh sol sql styl svelte swift tcl tex text tf thrift toml ts tsv tsx twig txt v vb vhd vim vue xml xsd yaml yml zig zsh";
const textual = new Set(names.split(" ").map((name) => `.${name}`));

/**
 * Returns the absolute paths of the files that a text imports with `@path`. Relative paths begin at
 * the text's own folder.
 */
export function getImports(text: string, path: string, home: string): string[] {
  const found = [...getProse(text).matchAll(MENTION)].flatMap(([, mark, whole = ""]) => {
    // This is the form **@file.md**.
    const word = mark === undefined ? whole : whole.split(mark)[0]!;
    const name = word.replace(/#.*$/, "").replaceAll("\\ ", " ");
    if (!/^(?:~\/|\/(?!\/)|[\w.-])./.test(name)) return [];
    const target = absolute(name, dirname(path), home);
    const kind = extname(target).toLowerCase();
    return kind === "" || textual.has(kind) ? [target] : [];
  });
  return [...new Set(found)];
}
