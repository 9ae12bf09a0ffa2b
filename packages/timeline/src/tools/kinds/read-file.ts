import type { JsonObject } from "@signalbox/protocol";
import {
  imageFrom,
  extractImages,
  extractText,
  removeReminder,
} from "../../tool-payload/content.ts";
import type { ReadFile, ToolResult } from "../../tool-payload/payload.ts";
import {
  toFields,
  omitUndefined,
  toList,
  number,
  stringify,
  stringifyOrUndefined,
  text,
} from "../../tool-payload/values.ts";

type Output = NonNullable<ReadFile["output"]>;

export function readFileCall(input: JsonObject): ReadFile {
  return omitUndefined({
    kind: "read_file" as const,
    filePath: stringify(input["file_path"] ?? input["notebook_path"]),
    offset: number(input["offset"]),
    limit: number(input["limit"]),
    pages: stringifyOrUndefined(input["pages"]),
  });
}

export function readFileResult(payload: ReadFile, { content, structured }: ToolResult): ReadFile {
  const { type, file, pages } = toFields(structured);
  const from = toFields(file);
  if (type === "text" && typeof from["content"] === "string") {
    return { ...payload, output: fromFile(payload, from, from["content"]) };
  }
  if (type === "image" && typeof from["base64"] === "string") {
    return { ...payload, output: pictures([imageFrom(from["base64"], from["type"])]) };
  }
  if (type === "notebook" && Array.isArray(from["cells"])) {
    return { ...payload, output: fromCells(from["cells"], content) };
  }
  if (type === "parts" && Array.isArray(pages)) {
    const images = pages.map(toFields).filter((page) => text(page["base64"]));
    const shown = images.map((page) => imageFrom(page["base64"], page["mediaType"]));
    return { ...payload, output: pictures(shown) };
  }
  return { ...payload, output: fromText(content) };
}

function fromFile(payload: ReadFile, file: JsonObject, content: string): Output {
  const lineCount = number(file["numLines"]) ?? splitFileLines(content).length;
  const startLine = number(file["startLine"]);
  const totalLines = number(file["totalLines"]);
  const left = totalLines !== undefined && (startLine ?? 1) + lineCount - 1 < totalLines;
  const short = left && lineCount < (payload.limit ?? Infinity);
  const truncated = short || file["truncatedByTokenCap"] === true;
  return omitUndefined({ content, lineCount, startLine, totalLines, truncated });
}

function pictures(images: NonNullable<Output["images"]>): Output {
  return { content: "", lineCount: 0, truncated: false, images };
}

function fromCells(cells: readonly unknown[], content: unknown): Output {
  const sources = cells.map((cell) => cellSource(toFields(cell)["source"]));
  const joined = sources.join("\n\n");
  const lineCount = joined === "" ? 0 : joined.split("\n").length;
  return omitUndefined({
    content: joined,
    lineCount,
    truncated: false,
    images: extractImages(content),
  });
}

/** In the file of a notebook a source is a list of lines; in the tool's answer it is one string. */
export function cellSource(source: unknown): string {
  return Array.isArray(source) ? toList(source).map(stringify).join("") : stringify(source);
}

/** A line end at the end of the text does not begin another line. */
function splitFileLines(whole: string): string[] {
  const lines = whole.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** The format of numbered lines: "     1→one" on 2.1.7, "1\tone" on 2.1.325. */
const numbered = /^ *(\d+)[\t→]/;

function fromText(content: unknown): Output {
  const whole = removeReminder(extractText(content));
  const images = extractImages(content);
  const lines = splitFileLines(whole);
  const first = numbered.exec(lines[0] ?? "")?.[1];
  const all = whole.split("\n");
  const plain = first ? all.map((line) => line.replace(numbered, "")).join("\n") : whole;
  return omitUndefined({
    content: plain,
    lineCount: lines.length,
    startLine: first ? Number(first) : undefined,
    truncated: false,
    images,
  });
}
