import { readFile } from "node:fs/promises";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { ContentBlock } from "@signalbox/agent";
import { type Cell, getLanguage, invalidNotebook, parseNotebook, getSource } from "./notebook.ts";
import { type Output, ToolFailure } from "../tool.ts";

const MAX_BYTES = 256 * 1024;
/** The limit for the outputs of a cell together. The model can read more with jq. */
const MAX_OUTPUTS = 10_000;

interface ShownOutput {
  readonly output_type: unknown;
  readonly text: string;
  readonly image?: { readonly image_data: string; readonly media_type: string };
}

/** Reads a notebook cell by cell, each with its output and images. */
export async function readNotebook(path: string, filePath: string): Promise<Output> {
  const whole = await readFile(path, "utf8");
  const notebook = parseNotebook(whole);
  if (!notebook) throw new ToolFailure(invalidNotebook(whole));
  const language = getLanguage(notebook);
  const cells = notebook.cells.map((cell, index) => ({
    cellType: cell.cell_type,
    source: getSource(cell),
    ...(typeof cell["execution_count"] === "number" && {
      execution_count: cell["execution_count"],
    }),
    cell_id: cell.id ?? `cell-${index}`,
    ...(cell.cell_type === "code" && { language }),
    ...(cell.outputs && cell.outputs.length > 0 && { outputs: getOutputs(cell, index) }),
  }));
  const size = Buffer.byteLength(JSON.stringify(cells));
  if (size > MAX_BYTES) {
    throw new ToolFailure(
      `Notebook content (${(size / 1024).toFixed(1)}KB) exceeds maximum allowed size (${MAX_BYTES / 1024}KB). Take out the cells that you need with jq in Bash: jq '.cells | length', jq '.cells[20:40]'.`,
    );
  }
  const blocks = cells.flatMap(({ cell_id, cellType, source, outputs }) => {
    const kind = cellType === "code" ? "" : `<cell_type>${cellType}</cell_type>`;
    const languageTag =
      cellType === "code" && language !== "python" ? tagged("language", language) : "";
    const whole = `<cell id="${cell_id}">${kind}${languageTag}${source}</cell id="${cell_id}">`;
    return [textBlock(whole), ...(outputs ?? []).flatMap(getBlocks)];
  });
  return {
    content: mergeTextBlocks(blocks),
    structured: { type: "notebook", file: { filePath, cells } },
  };
}

const tagged = (tag: string, text: string): string => `<${tag}>${text}</${tag}>`;
const textBlock = (text: string): ContentBlock => ({ type: "text", text });

function getOutputs({ outputs = [] }: Cell, index: number): ShownOutput[] {
  const shown = outputs.map(shownOutput);
  const size = shown.reduce(
    (sum, { text, image }) => sum + text.length + (image?.image_data.length ?? 0),
    0,
  );
  if (size <= MAX_OUTPUTS) return shown;
  const text = `Outputs are too large to include. Use Bash with: cat <notebook_path> | jq '.cells[${index}].outputs'`;
  return [{ output_type: "stream", text }];
}

function shownOutput(output: JsonObject): ShownOutput {
  const { output_type, ename, evalue, traceback } = output;
  if (output_type === "error") {
    const lines = Array.isArray(traceback) ? traceback : [];
    return { output_type, text: [`${String(ename)}: ${String(evalue)}`, ...lines].join("\n") };
  }
  const data = isObject(output["data"]) ? output["data"] : {};
  const image = imageIn(data);
  const text = joinText(output["text"] ?? data["text/plain"]);
  return { output_type, text, ...(image && { image }) };
}

function imageIn(data: JsonObject): ShownOutput["image"] {
  for (const media_type of ["image/png", "image/jpeg"]) {
    const image_data = joinText(data[media_type]).replace(/\s/g, "");
    if (image_data !== "") return { image_data, media_type };
  }
  return undefined;
}

/** Joins a text, which notebooks store as a whole or line by line. */
function joinText(text: unknown): string {
  if (Array.isArray(text)) return text.join("");
  if (text === undefined || typeof text === "string") return text ?? "";
  return JSON.stringify(text);
}

function getBlocks({ text, image }: ShownOutput): ContentBlock[] {
  const source = image && { type: "base64", data: image.image_data, media_type: image.media_type };
  return [
    ...(text === "" ? [] : [textBlock(`\n${text}`)]),
    ...(source ? [{ type: "image", source }] : []),
  ];
}

/** Merges adjacent text blocks. */
function mergeTextBlocks(blocks: readonly ContentBlock[]): ContentBlock[] {
  const all: ContentBlock[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    if (block.type === "text" && last?.type === "text") {
      all[all.length - 1] = textBlock(`${String(last["text"])}\n${String(block["text"])}`);
    } else {
      all.push(block);
    }
  }
  return all;
}
