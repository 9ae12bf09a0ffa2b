import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { negotiateEncoding } from "./content-encoding.ts";
import { allowInFrame } from "./security-headers.ts";

/** What the page's build lists in `files.json`. Only listed files are served. */
const fileList = z.array(
  z.object({
    path: z.string().regex(/^(?!.*(?:^|\/)\.)[A-Za-z0-9_./-]+$/),
    type: z.string(),
    hash: z.string(),
    immutable: z.boolean(),
    /** The compressed forms that exist beside the file, such as `index.js.br`. */
    encodings: z.array(z.enum(["br", "gz"])).default([]),
    /** The hashes of the scripts inside the file; only the frame for diagrams has any. */
    scripts: z.array(z.string().regex(/^sha256-[A-Za-z0-9+/]{43}=$/)).optional(),
  }),
);
type PageFile = z.infer<typeof fileList>[number];

/** The one file with a policy of its own, whatever the list says of others. */
const DIAGRAM = "diagram.html";

export interface Page {
  serve(method: string, path: string, headers: Headers): Response;
}

export async function openPage(folder: string | undefined): Promise<Page> {
  const files = folder === undefined ? [] : await readFileList(folder);
  const byPath = new Map(files.map((file) => [`/${file.path}`, file]));
  const start = byPath.get("/index.html");
  return {
    serve(method, path, headers) {
      if (method !== "GET" && method !== "HEAD") {
        return new Response("Use GET or HEAD for pages.\n", {
          status: 405,
          headers: { allow: "GET" },
        });
      }
      if (!folder || !start) return notBuilt();
      // A path that is no file is a location inside the page, which routes it by itself.
      const file = byPath.get(path) ?? (looksLikeFile(path) ? undefined : start);
      if (!file) return notFound();
      const response = fileResponse(folder, file, headers);
      return file.path === DIAGRAM ? allowInFrame(response, file.scripts ?? []) : response;
    },
  };
}

async function readFileList(folder: string): Promise<PageFile[]> {
  try {
    return fileList.parse(JSON.parse(await readFile(join(folder, "files.json"), "utf8")));
  } catch {
    return [];
  }
}

function looksLikeFile(path: string): boolean {
  return path.slice(path.lastIndexOf("/")).includes(".");
}

function fileResponse(folder: string, file: PageFile, headers: Headers): Response {
  const form = negotiateEncoding(headers.get("accept-encoding"), file.encodings);
  const etag = form ? `"${file.hash}-${form.suffix}"` : `"${file.hash}"`; // each form has a different body
  const cacheControl = file.immutable ? "public, max-age=31536000, immutable" : "no-cache";
  const varies = file.encodings.length > 0 ? { vary: "accept-encoding" } : {};
  const caching = { etag, "cache-control": cacheControl, ...varies };
  if (headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers: caching });
  }
  const path = join(folder, form ? `${file.path}.${form.suffix}` : file.path);
  const encoding = form && { "content-encoding": form.name };
  return new Response(Bun.file(path), {
    headers: { ...caching, ...encoding, "content-type": file.type },
  });
}

function notFound(): Response {
  return new Response("File not found.\n", {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

function notBuilt(): Response {
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Signalbox</title>
<h1>The hub is running; its page is not built</h1>
<p>Build it with <code>npm run build:web</code> and restart the hub.</p>
<p>Until then, use the command line: <code>signalbox ls</code>, <code>new</code>, <code>send</code>, <code>attach</code>.</p>
</html>
`;
  return new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });
}
