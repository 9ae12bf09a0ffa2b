import type { JsonObject } from "@signalbox/protocol";
import { createPatch } from "../../diff/patch.ts";
import { countChangedLines, formatUnifiedDiff } from "../../diff/unified.ts";
import { extractText } from "../../tool-payload/content.ts";
import type { Hunk } from "../../diff/hunk.ts";
import type { ModifyFile, Mutation, ToolResult } from "../../tool-payload/payload.ts";
import {
  toFields,
  flag,
  omitUndefined,
  toList,
  stringify,
  stringifyOrUndefined,
  text,
} from "../../tool-payload/values.ts";
import { applyMutations, cellChange } from "./mutations.ts";
import { wirePatch } from "./wire-patch.ts";

export function modifyFileCall(name: string, input: JsonObject): ModifyFile {
  const filePath = stringify(input["file_path"] ?? input["notebook_path"]);
  return { kind: "modify_file", filePath, mutations: readMutations(name, input) };
}

function readMutations(name: string, input: JsonObject): Mutation[] {
  switch (name) {
    case "Write":
      return [{ type: "write", content: stringify(input["content"]) }];
    case "NotebookEdit":
      return [notebook(input)];
    case "MultiEdit":
      return toList(input["edits"]).map((one) => edit(toFields(one)));
    default:
      return [edit(input)];
  }
}

function edit(input: JsonObject): Mutation {
  const oldContent = stringify(input["old_string"]);
  const newContent = stringify(input["new_string"]);
  const replaceAll = flag(input["replace_all"]);
  return omitUndefined({ type: "edit" as const, oldContent, newContent, replaceAll });
}

function notebook(input: JsonObject): Mutation {
  const id = stringifyOrUndefined(input["cell_id"]);
  const type = stringifyOrUndefined(input["cell_type"]);
  const mode = text(input["edit_mode"]) ?? "replace";
  const newContent = mode === "delete" ? "" : stringify(input["new_source"]);
  return { type: "notebook", newContent, cell: omitUndefined({ id, type, mode }) };
}

export function modifyFileResult(payload: ModifyFile, result: ToolResult): ModifyFile {
  const structured = toFields(result.structured);
  const created = isNewFile(payload, structured, extractText(result.content));
  const patch = readPatch(payload, structured);
  const { added, removed } = countChangedLines(patch);
  const userModified = flag(structured["userModified"]);
  const diff = formatUnifiedDiff(payload.filePath, patch, created === true);
  const output = omitUndefined({ patch, diff, added, removed, created, userModified });
  return { ...payload, mutations: markCreated(payload.mutations, created), output };
}

/** Only the answer tells a new file from an overwritten one. */
function isNewFile(payload: ModifyFile, structured: JsonObject, content: string) {
  if (payload.mutations[0]?.type !== "write") return undefined;
  if (typeof structured["type"] === "string") return structured["type"] === "create";
  return content.startsWith("File created") ? true : undefined;
}

function markCreated(mutations: readonly Mutation[], created?: boolean): readonly Mutation[] {
  if (!created) return mutations;
  return mutations.map((one) => (one.type === "write" ? { ...one, type: "create" } : one));
}

/**
 * The wire's patch is made for display: 2.1.7 and 2.1.325 replace every leading tab with two
 * spaces. If the texts contain tabs and are available, the patch is computed here.
 */
function readPatch(payload: ModifyFile, structured: JsonObject): Hunk[] {
  const wire = wirePatch(structured["structuredPatch"]);
  if (!wire) return computePatch(payload, structured);
  const original = readOriginal(structured);
  const isExact = !original?.includes("\t") && !newTabs(payload.mutations);
  if (isExact || structured["userModified"] === true) return wire;
  const changed = original === undefined ? undefined : changedFrom(original, payload, structured);
  return changed === undefined ? wire : createPatch(original ?? "", changed);
}

function newTabs(mutations: readonly Mutation[]): boolean {
  return mutations.some(({ content, newContent }) => (content ?? newContent)?.includes("\t"));
}

function readOriginal(structured: JsonObject): string | undefined {
  return text(structured["originalFile"] ?? structured["originalFileContents"]);
}

/** The whole file after the call; undefined if the edits do not fit it. */
function changedFrom(original: string, { mutations }: ModifyFile, structured: JsonObject) {
  const [first] = mutations;
  if (first?.type === "write") return text(structured["content"]) ?? first.content;
  return applyMutations(original, mutations);
}

/** If the wire has no patch, as for a new file, it is computed from the texts in the call. */
function computePatch(payload: ModifyFile, structured: JsonObject): Hunk[] {
  const [first] = payload.mutations;
  if (first?.type === "notebook") {
    const { before, after } = cellChange(first, structured);
    return fragments(before, after);
  }
  const original = readOriginal(structured) ?? (first?.type === "write" ? "" : undefined);
  const changed = original === undefined ? undefined : changedFrom(original, payload, structured);
  if (original !== undefined && changed !== undefined) return createPatch(original, changed);
  // Without the file, each edit is shown by itself, with its lines counted from 1.
  return payload.mutations.flatMap((one) => fragments(one.oldContent, one.newContent));
}

/** Fragments of a file may end anywhere, so a missing final LF on both sides needs no note. */
function fragments(before = "", after = ""): Hunk[] {
  const lacksFinalNewline = [before, after].every((piece) => !piece.endsWith("\n"));
  return createPatch(
    endWithNewline(before, lacksFinalNewline),
    endWithNewline(after, lacksFinalNewline),
  );
}

function endWithNewline(piece: string, open: boolean): string {
  return open && piece !== "" ? `${piece}\n` : piece;
}
