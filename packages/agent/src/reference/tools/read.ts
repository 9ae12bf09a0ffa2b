import { open, readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { judgeRead } from "../permission/files.ts";
import { isOwn, missing, pathOf, shownPath, withWholePath } from "./file-tools.ts";
import { readNotebook } from "./notebook.ts";
import { pagesProblem, readPdf } from "./pdf.ts";
import { count, number, type Output, shape, string, text, type Tool, ToolFailure } from "./tool.ts";

const MAX_LINES = 2000;
const MAX_LINE = 2000;
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_LOADED_BYTES = 50 * 1024 * 1024;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const images: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

export const read: Tool = {
  name: "Read",
  description:
    "Reads a file: text with line numbers (at most 2000 lines from offset), pictures and PDF as they are seen, notebooks cell by cell. For a folder, use Bash with ls.",
  input: shape(
    { file_path: string("The path of the file") },
    {
      offset: number("The first line to read, counted from 1"),
      limit: number("How many lines to read"),
      pages: string("Pages of a PDF, as in 1-5"),
    },
  ),
  sideBySide: () => true,
  shown: withWholePath,
  describe: (input, session) => shownPath(pathOf(input, session), session),
  doing: (input) => `Reading ${text(input, "file_path")}`,
  async refuse(input) {
    return input["pages"] === undefined ? undefined : pagesProblem(text(input, "pages"));
  },
  judge: (input, { session }) =>
    judgeRead(session.permission, pathOf(input, session), isOwn(session)),
  async run(input, { session }) {
    const path = pathOf(input, session);
    const filePath = text(input, "file_path");
    const { size } = await stat(path).catch((cause: { code?: string; message: string }) => {
      throw new ToolFailure(cause.code === "ENOENT" ? missing(session) : cause.message);
    });
    const kind = extname(path).toLowerCase();
    if (images[kind]) return readImage(path, images[kind], size);
    if (kind === ".pdf")
      return readPdf(path, { filePath, size, pages: text(input, "pages") }, session);
    if (kind === ".ipynb") return readNotebook(path, filePath);
    const range = { offset: count(input, "offset"), limit: count(input, "limit") };
    if (size > MAX_TEXT_BYTES && range.limit === undefined) {
      throw new ToolFailure(
        `File content (${Math.round(size / 1024)}KB) exceeds maximum allowed size (${MAX_TEXT_BYTES / 1024}KB). Use offset and limit to read a part of it, or search it with Grep.`,
      );
    }
    if (size > MAX_LOADED_BYTES) {
      throw new ToolFailure(`The file has ${size} bytes: look at parts of it with Bash or Grep.`);
    }
    const whole = await readText(path);
    const output = readLines(whole, filePath, range);
    await session.files.note(path, whole, range.offset !== undefined || range.limit !== undefined);
    return output;
  },
};

async function readText(path: string): Promise<string> {
  const file = await open(path, "r").catch((cause: Error) => {
    throw new ToolFailure(cause.message);
  });
  try {
    if ((await file.stat()).isDirectory()) {
      throw new ToolFailure(`EISDIR: illegal operation on a directory, read '${path}'`);
    }
    const bytes = await file.readFile();
    if (bytes.subarray(0, 8192).includes(0) && !(bytes[0] === 0xff && bytes[1] === 0xfe)) {
      throw new ToolFailure("This file is binary and cannot be shown as text.");
    }
    return bytes[0] === 0xff && bytes[1] === 0xfe
      ? bytes.toString("utf16le")
      : bytes.toString("utf8");
  } finally {
    await file.close();
  }
}

function readLines(
  whole: string,
  filePath: string,
  range: { offset: number | undefined; limit: number | undefined },
): Output {
  const lines = whole.replaceAll("\r\n", "\n").split("\n");
  const startLine = Math.max(1, range.offset ?? 1);
  const chosen = lines.slice(startLine - 1, startLine - 1 + (range.limit ?? MAX_LINES));
  const content = chosen.join("\n");
  const structured = {
    type: "text",
    file: { filePath, content, numLines: chosen.length, startLine, totalLines: lines.length },
  };
  if (whole === "") {
    return { content: reminder("the file exists but the contents are empty."), structured };
  }
  if (chosen.length === 0) {
    const why = `the file exists but is shorter than the provided offset (${startLine}). The file has ${lines.length} lines.`;
    return { content: reminder(why), structured };
  }
  const numbered = chosen.map((line, index) => {
    const shown = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… [line cut]` : line;
    return `${startLine + index}\t${shown}`;
  });
  return { content: numbered.join("\n"), structured };
}

function reminder(why: string): string {
  return `<system-reminder>Warning: ${why}</system-reminder>`;
}

async function readImage(path: string, type: string, size: number): Promise<Output> {
  if (size === 0) throw new ToolFailure(`Image file is empty: ${path}`);
  if (size > MAX_IMAGE_BYTES)
    throw new ToolFailure(`The picture has ${size} bytes; ${MAX_IMAGE_BYTES} are the limit.`);
  const base64 = (await readFile(path)).toString("base64");
  return {
    content: [{ type: "image", source: { type: "base64", data: base64, media_type: type } }],
    structured: { type: "image", file: { base64, type, originalSize: size } },
  };
}
