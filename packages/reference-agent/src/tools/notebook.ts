import { errorMessage } from "@signalbox/protocol/text";
import { readFile } from "node:fs/promises";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { flawRefusal, readIfThere } from "./file-text.ts";
import {
  judgeAsWriter,
  describeMissingFile,
  keepForRewind,
  getPath,
  pathProblem,
  shortPath,
  shortenForPerson,
  STALE,
  UNREAD,
  withWholePath,
} from "./file-tools.ts";
import { replaceFile } from "../files/replace-file.ts";
import { getOne, shape, string, text, type Tool, ToolFailure } from "../tool.ts";

export type Cell = {
  cell_type: string;
  id?: string;
  source: string | string[];
  outputs?: JsonObject[];
  [field: string]: unknown;
};
type Notebook = { cells: Cell[]; metadata: JsonObject; nbformat: number; nbformat_minor: number };

const NO_NOTEBOOK =
  "File must be a Jupyter notebook (.ipynb file). For editing other file types, use the FileEdit tool.";

export const notebookEdit: Tool = {
  name: "NotebookEdit",
  description:
    "Changes one cell of a Jupyter notebook: replaces it, inserts one after it (at the beginning without a cell_id), or deletes it.",
  input: shape(
    {
      notebook_path: string("The path of the notebook"),
      new_source: string("The cell's new text"),
    },
    {
      cell_id: string("The cell's id, or cell-N by its place"),
      cell_type: getOne(["code", "markdown"], "The kind of the cell; needed to insert one"),
      edit_mode: getOne(["replace", "insert", "delete"], "replace unless said otherwise"),
    },
  ),
  shown: (input, session) => withWholePath(input, session, "notebook_path"),
  describe: (input, session) => shortenForPerson(getPath(input, session, "notebook_path"), session),
  doing: (input, session) => `Editing notebook ${shortPath(input, session, "notebook_path")}`,
  async refuse(input, session) {
    const problem = pathProblem("NotebookEdit", input, "notebook_path");
    if (problem !== undefined) return problem;
    const path = getPath(input, session, "notebook_path");
    if (!path.endsWith(".ipynb")) return NO_NOTEBOOK;
    const knowledge = await session.files.getKnowledge(path);
    if (knowledge === "none") return UNREAD;
    const there = await readIfThere(path);
    if (there?.flaw !== undefined) return flawRefusal(there.flaw);
    if (there === undefined) return describeMissingFile(session);
    if (knowledge === "outdated") return STALE;
    const mode = text(input, "edit_mode") || "replace";
    if (mode === "insert" && input["cell_type"] === undefined)
      return "Cell type is required when using edit_mode=insert.";
    const notebook = parseNotebook(there.text);
    if (!notebook) return invalidNotebook(there.text);
    const id = text(input, "cell_id");
    if (id === "" && mode !== "insert")
      return "Cell ID must be specified when not inserting a new cell.";
    if (id === "" || findCellIndex(notebook, id) >= 0) return undefined;
    const place = getPlace(id);
    return place === undefined
      ? `Cell with ID "${id}" not found in notebook.`
      : `Cell with index ${place} does not exist in notebook.`;
  },
  judge: judgeAsWriter("NotebookEdit", "notebook_path"),
  async run(input, call) {
    const { session } = call;
    const why = await this.refuse?.(input, session);
    if (why !== undefined) throw new ToolFailure(why);
    const path = getPath(input, session, "notebook_path");
    await keepForRewind(path, call);
    const original = await readFile(path, "utf8");
    const { notebook, cell, old } = applyCellChange(parseNotebook(original)!, input);
    const updated = JSON.stringify(notebook, null, 1);
    await replaceFile(path, Buffer.from(updated, "utf8"));
    await session.files.note(path, updated, false); // The model has seen one cell of it.
    const source = text(input, "new_source");
    const mode = text(input, "edit_mode") || "replace";
    const id = mode === "insert" ? (cell.id ?? text(input, "cell_id")) : text(input, "cell_id");
    const resultTexts = {
      replace: `Updated cell ${id} with ${source}`,
      insert: `Inserted ${id === "" ? "a new cell" : `cell ${id}`} with ${source}`,
      delete: `Deleted cell ${id}`,
    };
    return {
      content: resultTexts[mode as keyof typeof resultTexts] ?? resultTexts.replace,
      structured: {
        new_source: source,
        ...(old === undefined ? {} : { old_source: old }),
        cell_type: cell.cell_type,
        language: getLanguage(notebook),
        edit_mode: mode,
        ...(id === "" ? {} : { cell_id: id }),
        error: "",
        notebook_path: path,
        original_file: original,
        updated_file: updated,
      },
    };
  },
};

function applyCellChange(
  notebook: Notebook,
  input: JsonObject,
): { notebook: Notebook; cell: Cell; old: string | undefined } {
  const id = text(input, "cell_id");
  const at = id === "" ? -1 : findCellIndex(notebook, id);
  const source = text(input, "new_source");
  const type = text(input, "cell_type");
  const cells = [...notebook.cells];
  if (input["edit_mode"] === "insert") {
    const cell = newCell(notebook, type, source);
    cells.splice(at + 1, 0, cell);
    return { notebook: { ...notebook, cells }, cell, old: undefined };
  }
  const before = cells[at]!;
  const old = getSource(before);
  if (input["edit_mode"] === "delete") {
    cells.splice(at, 1);
    return { notebook: { ...notebook, cells }, cell: before, old };
  }
  const cell: Cell = { ...before, source, ...(type === "" ? {} : { cell_type: type }) };
  if (cell.cell_type === "code") Object.assign(cell, { execution_count: null, outputs: [] });
  cells[at] = cell;
  return { notebook: { ...notebook, cells }, cell, old };
}

function newCell({ nbformat, nbformat_minor }: Notebook, type: string, source: string): Cell {
  const named = nbformat > 4 || (nbformat === 4 && nbformat_minor >= 5);
  const id = named ? { id: crypto.randomUUID().slice(0, 8) } : {};
  const code = type === "code" ? { execution_count: null, outputs: [] } : {};
  return { cell_type: type, ...id, source, metadata: {}, ...code };
}

export function parseNotebook(whole: string): Notebook | undefined {
  try {
    const value: unknown = JSON.parse(whole);
    return isObject(value) && Array.isArray(value["cells"]) ? (value as Notebook) : undefined;
  } catch {
    return undefined;
  }
}

/** The message for a file that looks like a notebook but is not one. */
export function invalidNotebook(whole: string): string {
  try {
    JSON.parse(whole);
    return "Notebook file is not valid: it has no cells.";
  } catch (cause) {
    const why = errorMessage(cause);
    return `Notebook file is not valid JSON (it may be truncated, corrupted, or still being written): ${why}`;
  }
}

function findCellIndex({ cells }: Notebook, id: string): number {
  const byId = cells.findIndex((cell) => cell.id === id);
  if (byId >= 0) return byId;
  const place = getPlace(id);
  return place !== undefined && place < cells.length ? place : -1;
}

function getPlace(id: string): number | undefined {
  const place = /^cell-(\d+)$/.exec(id)?.[1];
  return place === undefined ? undefined : Number(place);
}

export function getSource({ source }: Cell): string {
  return Array.isArray(source) ? source.join("") : source;
}

export function getLanguage({ metadata }: Notebook): string {
  const info = metadata?.["language_info"];
  return isObject(info) && typeof info["name"] === "string" ? info["name"] : "python";
}
