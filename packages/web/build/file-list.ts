import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { DIAGRAM_FILE, scriptHashes } from "./diagram/frame.ts";
import type { Plugin, ResolvedConfig } from "vite";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** One file of the built page, as the hub serves it. */
export interface PageFile {
  /** From the root of the page, with slashes: `assets/index-abc.js`. */
  readonly path: string;
  readonly type: string;
  readonly bytes: number;
  /** SHA-256, in base64: good as an ETag. */
  readonly hash: string;
  /** Its name changes with its content: it may be kept for ever. */
  readonly immutable: boolean;
  /** The scripts that stand in it, by their hashes: only the diagrams' frame has any. */
  readonly scripts?: readonly string[];
}

/** Writes `files.json` beside the page: the hub serves what stands there and nothing else. */
export function fileList(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "signalbox:file-list",
    apply: "build",
    configResolved: (resolved) => void (config = resolved),
    closeBundle() {
      const folder = resolve(config.root, config.build.outDir);
      writeFileSync(join(folder, "files.json"), `${JSON.stringify(filesIn(folder), null, 1)}\n`);
    },
  };
}

export function filesIn(folder: string): PageFile[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !path.startsWith(".") && path !== "files.json");
  return names.toSorted().map((path) => {
    const type = types[extname(path)];
    if (type === undefined) throw new Error(`${path}: its media type is not on the list`);
    const content = readFileSync(join(folder, path));
    const hash = createHash("sha256").update(content).digest("base64");
    const scripts = path === DIAGRAM_FILE ? { scripts: scriptHashes() } : {};
    const immutable = path.startsWith("assets/");
    return { path, type, bytes: content.length, hash, immutable, ...scripts };
  });
}
