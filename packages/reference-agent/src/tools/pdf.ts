import { execFile } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Session, toolResultsFolder } from "../session.ts";
import { type Output, ToolFailure } from "../tool.ts";

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_PAGES = 20;
const RENDER_MS = 120_000;
const run = promisify(execFile);

/** Returns why `pages` is not a valid range of pages. */
export function pagesProblem(pages: string): string | undefined {
  const range = getRange(pages);
  if (!range) {
    return `Invalid pages parameter: "${pages}". It is one page ("3") or one range ("1-5"), counted from 1. For several of them call several times.`;
  }
  if (range.last - range.first < MAX_PAGES) return undefined;
  return `Page range "${pages}" is longer than the ${MAX_PAGES} pages that one call can show.`;
}

function getRange(pages: string): { first: number; last: number } | undefined {
  const found = /^(\d+)(?:-(\d+))?$/.exec(pages.trim());
  const [first, last] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])];
  return first >= 1 && last >= first ? { first, last } : undefined;
}

/** Reads the whole file for the model, or some pages as images. */
export async function readPdf(
  path: string,
  { filePath, size, pages }: { filePath: string; size: number; pages: string },
  session: Session,
): Promise<Output> {
  if (size > MAX_BYTES)
    throw new ToolFailure(`The PDF has ${size} bytes; ${MAX_BYTES} are the limit.`);
  const bytes = await readFile(path);
  if (!bytes.subarray(0, 5).equals(Buffer.from("%PDF-")))
    throw new ToolFailure("This is not a PDF.");
  const range = pages === "" ? undefined : getRange(pages);
  if (range) return renderPages(path, { filePath, size, ...range }, session);
  const base64 = bytes.toString("base64");
  const source = { type: "base64", media_type: "application/pdf", data: base64 };
  return {
    content: [
      { type: "text", text: `PDF file read: ${filePath} (${formatSize(size)})` },
      { type: "document", source },
    ],
    structured: { type: "pdf", file: { filePath, base64, originalSize: size } },
  };
}

async function renderPages(
  path: string,
  { filePath, size, first, last }: { filePath: string; size: number; first: number; last: number },
  session: Session,
): Promise<Output> {
  const folder = join(toolResultsFolder(session), `pdf-${crypto.randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const args = ["-jpeg", "-r", "100", "-f", String(first), "-l", String(last)];
  const { PATH } = session.context.environment;
  await run("pdftoppm", [...args, path, join(folder, "page")], {
    env: { PATH },
    timeout: RENDER_MS,
  }).catch((cause: { code?: unknown; stderr?: string; message: string }) => {
    throw new ToolFailure(
      cause.code === "ENOENT"
        ? "pdftoppm is not installed, and pages of a PDF cannot be shown without it. It comes with poppler (`apt-get install poppler-utils`, `brew install poppler`)."
        : `The pages could not be rendered: ${cause.stderr?.trim() || cause.message}`,
    );
  });
  const names = (await readdir(folder)).toSorted((one, other) =>
    one.localeCompare(other, "en", { numeric: true }),
  );
  if (names.length === 0) throw new ToolFailure(`The PDF has no pages ${first} to ${last}.`);
  const pictures = await Promise.all(
    names.map(async (name) => {
      const data = (await readFile(join(folder, name))).toString("base64");
      return { type: "image", source: { type: "base64", data, media_type: "image/jpeg" } };
    }),
  );
  const head = `PDF pages extracted: ${names.length} page(s) from ${filePath} (${formatSize(size)})`;
  return {
    content: [{ type: "text", text: head }, ...pictures],
    structured: {
      type: "parts",
      file: { filePath, originalSize: size, outputDir: folder, count: names.length },
      firstPage: first,
    },
  };
}

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"];
  return `${size.toFixed(1).replace(/\.0$/, "")}${unit}`;
}
