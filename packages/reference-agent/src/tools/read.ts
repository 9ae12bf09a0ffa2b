import { open, readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { isObject } from "@signalbox/protocol/wire";
import { isAsked } from "../permission/decide.ts";
import { forbidRead, judgeRead } from "../permission/files.ts";
import { binaryProblem } from "./binary-extensions.ts";
import { deviceProblem } from "./device.ts";
import { decode, type FileText, flawNote } from "./file-text.ts";
import {
  isOwn,
  describeMissingFile,
  getPath,
  pathProblem,
  shortPath,
  shortenForPerson,
  withWholePath,
} from "./file-tools.ts";
import { imageKind, noImage } from "./image-kind.ts";
import { imageSize } from "./image-size.ts";
import { pagesProblem, readPdf } from "./pdf.ts";
import { readNotebook } from "./read-notebook.ts";
import { count, type Output, shape, string, text, type Tool, ToolFailure, whole } from "../tool.ts";

const MAX_TOKENS = 25_000;
const CHARS_PER_TOKEN = 4;
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_LOADED_BYTES = 50 * 1024 * 1024;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** The API refuses larger images, and the whole conversation with them. */
const MAX_IMAGE_PIXELS = 8000;
const images = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);

export const read: Tool = {
  name: "Read",
  description:
    "Reads a file: text with line numbers, pictures and PDF as they are seen, notebooks cell by cell. For a folder, use Bash with ls.",
  input: shape(
    { file_path: string("The path of the file") },
    {
      offset: whole("The first line to read, counted from 1"),
      limit: whole("How many lines to read"),
      pages: string("Pages of a PDF, as in 1-5"),
    },
  ),
  // This tool has its own limit, and is used to read stored results.
  maxChars: Number.POSITIVE_INFINITY,
  sideBySide: () => true,
  /** Nothing is looked up before a question. */
  beginsAtOnce: (input, session) =>
    isAsked(session.permission, "Read", () =>
      judgeRead(session.permission, getPath(input, session), isOwn({ session })),
    ) && "asks",
  shown: withWholePath,
  describe: (input, session) => shortenForPerson(getPath(input, session), session),
  doing: (input, session) => `Reading ${shortPath(input, session)}`,
  forbid: (input, session) => forbidRead(session.permission, getPath(input, session)),
  async refuse(input, session) {
    const pages = input["pages"] === undefined ? undefined : pagesProblem(text(input, "pages"));
    const problem = pages ?? pathProblem("Read", input);
    const path = getPath(input, session);
    return problem ?? binaryProblem(path) ?? deviceProblem(path, text(input, "file_path"));
  },
  render({ type, file }) {
    if (type !== "text" || !isObject(file) || typeof file["content"] !== "string") return undefined;
    const { content, startLine } = file;
    return withNumbers(content.split("\n"), typeof startLine === "number" ? startLine : 1);
  },
  judge: (input, { session, agent }) =>
    judgeRead(session.permission, getPath(input, session), isOwn({ session, agent })),
  async run(input, { session }) {
    const path = getPath(input, session);
    const filePath = text(input, "file_path");
    const { size } = await stat(path).catch((cause: { code?: string; message: string }) => {
      const why = cause.message.replace(", stat ", ", open ");
      throw new ToolFailure(cause.code === "ENOENT" ? describeMissingFile(session) : why);
    });
    const kind = extname(path).toLowerCase();
    if (images.has(kind)) return readImage(path, size);
    if (kind === ".pdf")
      return readPdf(path, { filePath, size, pages: text(input, "pages") }, session);
    if (kind === ".ipynb") {
      const output = await readNotebook(path, filePath);
      await session.files.note(path, await readFile(path, "utf8"));
      return output;
    }
    const range = { offset: count(input, "offset"), limit: count(input, "limit") };
    if (size > MAX_TEXT_BYTES && !range.limit) {
      throw new ToolFailure(
        `File content (${Math.round(size / 1024)}KB) exceeds maximum allowed size (${MAX_TEXT_BYTES / 1024}KB). Use offset and limit to read a part of it, or search it with Grep.`,
      );
    }
    if (size > MAX_LOADED_BYTES) {
      throw new ToolFailure(`The file has ${size} bytes: look at parts of it with Bash or Grep.`);
    }
    const there = await readText(path);
    const { output, isAll } = readLines(there, filePath, range);
    await session.files.note(path, there.text, isAll);
    return output;
  },
};

async function readText(path: string): Promise<FileText> {
  const file = await open(path, "r").catch((cause: Error) => {
    throw new ToolFailure(cause.message);
  });
  try {
    if ((await file.stat()).isDirectory()) {
      throw new ToolFailure(`EISDIR: illegal operation on a directory, read '${path}'`);
    }
    return decode(await file.readFile());
  } finally {
    await file.close();
  }
}

interface Range {
  readonly offset: number | undefined;
  readonly limit: number | undefined;
}

function readLines(
  { text: all, flaw }: FileText,
  filePath: string,
  range: Range,
): { output: Output; isAll: boolean } {
  const lines = all
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const startLine = range.offset ?? 1;
  const begin = Math.max(0, startLine - 1); // Line 0 means the first line, too.
  const wanted = lines.slice(begin, range.limit ? begin + range.limit : undefined);
  const chosen = wanted.slice(0, countFittingLines(wanted));
  const isCut = chosen.length < wanted.length;
  if (isCut && range.limit) throw new ToolFailure(describeTooLong(wanted));
  const isAll = chosen.length === lines.length;
  const structured = {
    type: "text",
    file: {
      filePath,
      content: chosen.join("\n"),
      numLines: chosen.length,
      startLine,
      totalLines: lines.length,
      ...(isCut && { truncatedByTokenCap: true }),
    },
  };
  const numbered = withNumbers(chosen, startLine);
  const rest = isCut
    ? `\n\n[${chosen.length} of ${lines.length} lines are shown: read on with offset ${startLine + chosen.length}.]`
    : "";
  const content =
    all === ""
      ? reminder("the file exists but the contents are empty.")
      : wanted.length === 0
        ? reminder(
            `the file exists but is shorter than the provided offset (${startLine}). The file has ${lines.length} lines.`,
          )
        : numbered + rest + (flaw === undefined ? "" : flawNote(flaw));
  return { output: { content, structured }, isAll };
}

/** Returns how many lines fit into the conversation; at least one, however long it is. */
function countFittingLines(lines: readonly string[]): number {
  let room = MAX_TOKENS * CHARS_PER_TOKEN;
  const full = lines.findIndex((line) => (room -= line.length + 1) < 0);
  return full < 0 ? lines.length : Math.max(1, full);
}

function describeTooLong(lines: readonly string[]): string {
  const tokens = Math.ceil(lines.join("\n").length / CHARS_PER_TOKEN);
  return `File content (${tokens} tokens) exceeds maximum allowed tokens (${MAX_TOKENS}). Read a part of it with offset and limit, or search it for what you need.`;
}

function reminder(why: string): string {
  return `<system-reminder>Warning: ${why}</system-reminder>`;
}

async function readImage(path: string, size: number): Promise<Output> {
  if (size === 0) throw new ToolFailure(`Image file is empty: ${path}`);
  if (size > MAX_IMAGE_BYTES)
    throw new ToolFailure(`The picture has ${size} bytes; ${MAX_IMAGE_BYTES} are the limit.`);
  const bytes = await readFile(path);
  const type = imageKind(bytes);
  if (type === undefined) throw new ToolFailure(noImage(path, bytes));
  const pixels = imageSize(bytes, type);
  if (pixels && Math.max(pixels.width, pixels.height) > MAX_IMAGE_PIXELS) {
    const { width, height } = pixels;
    throw new ToolFailure(
      `The picture has ${width} x ${height} pixels, or is broken; ${MAX_IMAGE_PIXELS} on each side are the limit. A smaller copy of it can be read.`,
    );
  }
  const base64 = bytes.toString("base64");
  const dimensions = pixels && {
    originalWidth: pixels.width,
    originalHeight: pixels.height,
    displayWidth: pixels.width,
    displayHeight: pixels.height,
  };
  return {
    content: [{ type: "image", source: { type: "base64", data: base64, media_type: type } }],
    structured: {
      type: "image",
      file: { base64, type, originalSize: size, ...(dimensions && { dimensions }) },
    },
  };
}

const withNumbers = (lines: readonly string[], first: number): string =>
  lines.map((line, index) => `${first + index}\t${line}`).join("\n");
