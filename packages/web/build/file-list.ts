import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { compressAll, type Encoding, encodings } from "./compress.ts";
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
  /** In these forms it stands beside itself, with this at the end of its name. */
  readonly encodings?: readonly Encoding[];
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
    async closeBundle() {
      const folder = resolve(config.root, config.build.outDir);
      await compressAll(folder);
      writeFileSync(join(folder, "files.json"), `${JSON.stringify(filesIn(folder), null, 1)}\n`);
    },
  };
}

export function filesIn(folder: string): PageFile[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !path.startsWith(".") && path !== "files.json");
  const there = new Set(names);
  const encoded = (path: string) => encodings.filter((end) => there.has(`${path}.${end}`));
  const own = names.filter((path) => !encodings.some((end) => path.endsWith(`.${end}`)));
  return own.toSorted().map((path) => {
    const type = types[extname(path)];
    if (type === undefined) throw new Error(`${path}: its media type is not on the list`);
    const content = readFileSync(join(folder, path));
    const hash = createHash("sha256").update(content).digest("base64");
    const scripts = path === DIAGRAM_FILE ? { scripts: scriptHashes() } : {};
    const immutable = path.startsWith("assets/");
    const forms = encoded(path);
    const also = forms.length > 0 ? { encodings: forms } : {};
    return { path, type, bytes: content.length, hash, immutable, ...also, ...scripts };
  });
}
