import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import type { Mutation } from "../../tool-payload/payload.ts";
import { toFields, toList, text } from "../../tool-payload/values.ts";
import { cellSource } from "./read-file.ts";

/** The text after the edits; undefined if one of them does not fit. */
export function applyMutations(
  original: string,
  mutations: readonly Mutation[],
): string | undefined {
  let now = original;
  for (const { oldContent = "", newContent = "", replaceAll } of mutations) {
    if (oldContent === "" && now !== "") return undefined;
    const at = now.indexOf(oldContent);
    if (at < 0) return undefined;
    now = replaceAll
      ? now.split(oldContent).join(newContent)
      : now.slice(0, at) + newContent + now.slice(at + oldContent.length);
  }
  return now;
}

/**
 * A notebook edit is shown as a change of its cell, because the file's JSON is formatted anew each
 * time.
 */
export function cellChange(mutation: Mutation, structured: JsonObject) {
  const { cell, newContent = "" } = mutation;
  const after = cell?.mode === "delete" ? "" : (text(structured["new_source"]) ?? newContent);
  if (cell?.mode === "insert") return { before: "", after };
  const id = text(structured["cell_id"]) ?? cell?.id;
  return { before: text(structured["old_source"]) ?? readSource(structured, id), after };
}

/** 2.1.7 does not report a cell's old source, only the whole old file. */
function readSource(structured: JsonObject, id: string | undefined): string {
  try {
    const notebook: unknown = JSON.parse(text(structured["original_file"]) ?? "null");
    const cells = toList(toFields(notebook)["cells"]).filter(isObject);
    const named = /^cell-(\d+)$/.exec(id ?? "")?.[1]; // Cells without an id are counted.
    const cell =
      cells.find((one) => one["id"] === id) ?? (named ? cells[Number(named)] : undefined);
    return cellSource(cell?.["source"]);
  } catch {
    return "";
  }
}
