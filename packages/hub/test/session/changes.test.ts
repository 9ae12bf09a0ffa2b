import { expect, test } from "bun:test";
import type { Item } from "@signalbox/timeline";
import { isFileChange, getJsonSuffix } from "../../src/services/file-changes.ts";

const call = (filePath: unknown, status = "complete") =>
  ({ kind: "tool", status, payload: { kind: "modify_file", filePath } }) as unknown as Item;
const path = '/project/src/a "b".ts';

test("[HB70] a file is changed by calls that name it by an absolute path or relative to the agent's folder", () => {
  for (const given of [path, 'src/a "b".ts', './a "b".ts']) {
    expect(isFileChange(call(given), path)).toBe(true);
    expect(JSON.stringify(call(given))).toContain(getJsonSuffix(path));
  }
  for (const other of ['/other/src/a "b".ts', 'b".ts', "", { $blob: "x", head: path, tail: "" }]) {
    expect(isFileChange(call(other), path)).toBe(false);
  }
  expect(isFileChange(call(path, "error"), path)).toBe(false);
  const read = { ...call(path), payload: { kind: "read_file", filePath: path } };
  expect(isFileChange(read as unknown as Item, path)).toBe(false);
});
