import type { Language } from "./languages.ts";

/** The names and file extensions of each language. */
const names: Readonly<Record<Language, string>> = {
  bash: "bash sh shell zsh shellscript console",
  c: "c h",
  cpp: "cpp cc cxx c++ hpp hh hxx",
  csharp: "csharp cs c#",
  css: "css",
  dart: "dart",
  diff: "diff patch",
  docker: "docker dockerfile",
  elixir: "elixir ex exs",
  go: "go golang",
  graphql: "graphql gql",
  haskell: "haskell hs",
  html: "html htm",
  ini: "ini conf cfg properties editorconfig",
  java: "java",
  javascript: "javascript js mjs cjs",
  json: "json ndjson jsonl ipynb webmanifest",
  jsonc: "jsonc json5",
  jsx: "jsx",
  kotlin: "kotlin kt kts",
  lua: "lua",
  make: "make makefile mk",
  markdown: "markdown md",
  nix: "nix",
  perl: "perl pl pm",
  php: "php",
  powershell: "powershell ps1 pwsh",
  proto: "proto protobuf",
  python: "python py pyi py3",
  r: "r",
  ruby: "ruby rb gemfile rakefile",
  rust: "rust rs",
  scala: "scala sc",
  scss: "scss",
  sql: "sql",
  svelte: "svelte",
  swift: "swift",
  toml: "toml",
  tsx: "tsx",
  typescript: "typescript ts mts cts",
  vue: "vue",
  xml: "xml svg plist xsd",
  yaml: "yaml yml",
  zig: "zig",
};

const byName = new Map(
  Object.entries(names).flatMap(([language, all]) =>
    all.split(" ").map((name) => [name, language as Language] as const),
  ),
);

/** Finds a language by the name after a code fence. */
export function findLanguageByName(name: string | null | undefined): Language | undefined {
  return byName.get((name ?? "").toLowerCase());
}

/** Finds a language by a file name. */
export function findLanguageByFile(path: string): Language | undefined {
  const file = path
    .slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .toLowerCase();
  return byName.get(file) ?? byName.get(file.slice(file.lastIndexOf(".") + 1));
}
