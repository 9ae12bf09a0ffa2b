import { describe, expect, test } from "bun:test";
import { describeCall, describeResult } from "../src/tools/index.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const read = { kind: "read_file", filePath: "/w/x.txt" } as const;

function play(name: string, input: unknown, content: unknown, structured?: unknown) {
  return describeResult(describeCall(name, input), { content, structured, isError: false });
}
const readX = (content: unknown, structured?: unknown, more: object = {}) =>
  play("Read", { file_path: "/w/x.txt", ...more }, content, structured);

describe("reading a file", () => {
  test("[TL71] the structure gives text and line counts", () => {
    const file = { filePath: "/w/x.txt", content: "two", numLines: 1, startLine: 2, totalLines: 5 };
    const payload = readX("2\ttwo", { type: "text", file }, { offset: 2, limit: 1 });
    const output = { content: "two", lineCount: 1, startLine: 2, totalLines: 5, truncated: false };
    expect(payload).toEqual({ ...read, offset: 2, limit: 1, output });
  });

  test("[TL71] fewer lines than were asked for, though there are more, is truncated", () => {
    const file = { content: "a\nb", numLines: 2, startLine: 1, totalLines: 9 };
    expect(readX("", { type: "text", file })).toMatchObject({ output: { truncated: true } });
    const capped = { ...file, totalLines: 2, truncatedByTokenCap: true };
    expect(readX("", { type: "text", file: capped })).toMatchObject({
      output: { truncated: true },
    });
  });

  test.each([
    ["2.1.7", "     9→one\n    10→\ttwo\n    11→\n\n<system-reminder>\nmind\n</system-reminder>\n"],
    ["2.1.325", "9\tone\n10\t\ttwo\n11\t"],
  ])("[TL71] the numbered text of %s alone gives the same", (_version, text) => {
    const output = { content: "one\n\ttwo\n", lineCount: 3, startLine: 9, truncated: false };
    expect(readX(text)).toEqual({ ...read, output });
  });

  test("[TL71] the end of the last line begins no other", () => {
    expect(readX("1\tone\n2\ttwo\n")).toMatchObject({ output: { lineCount: 2 } });
    expect(readX("one\ntwo\n")).toMatchObject({ output: { content: "one\ntwo\n", lineCount: 2 } });
    expect(readX("")).toMatchObject({ output: { content: "", lineCount: 0 } });
  });

  test("[TL71] an image comes from the structure or from its block", () => {
    const block = { type: "image", source: { type: "base64", data: png, media_type: "image/png" } };
    const images = [{ mediaType: "image/png", data: png, bytes: 70 }];
    const structured = { type: "image", file: { base64: png, type: "image/png" } };
    expect(readX([block], structured)).toMatchObject({ output: { content: "", images } });
    expect(readX([block])).toMatchObject({ output: { content: "", images } });
  });

  test("[TL71] a notebook is the text of its cells, a PDF in parts its pages", () => {
    const cells = [
      { cellType: "code", source: "print(1)\n", cell_id: "c1" },
      { source: ["a", "b"] },
    ];
    const notebook = play("NotebookRead", { notebook_path: "/w/n.ipynb" }, [], {
      type: "notebook",
      file: { filePath: "/w/n.ipynb", cells },
    });
    expect(notebook).toMatchObject({
      filePath: "/w/n.ipynb",
      output: { content: "print(1)\n\n\nab" },
    });
    const pages = [{ base64: png, mediaType: "image/jpeg" }, { error: "lost" }];
    expect(readX([], { type: "parts", file: {}, pages })).toMatchObject({
      output: { images: [{ mediaType: "image/jpeg", bytes: 70 }] },
    });
  });
});

describe("changing a file", () => {
  const hunk = { oldStart: 1, oldLines: 3, newStart: 1, newLines: 4 };
  const lines = [" one", "-two", "+2", " three", "+four"];

  test("[TL72] the wire's patch is kept, and told as unified diff", () => {
    const payload = play(
      "Edit",
      { file_path: "/w/x.txt", old_string: "two", new_string: "2", replace_all: false },
      "The file /w/x.txt has been updated successfully.",
      { filePath: "/w/x.txt", structuredPatch: [{ ...hunk, lines }], userModified: false },
    );
    const diff = `--- /w/x.txt\n+++ /w/x.txt\n@@ -1,3 +1,4 @@\n${lines.join("\n")}\n`;
    expect(payload).toEqual({
      kind: "modify_file",
      filePath: "/w/x.txt",
      mutations: [{ type: "edit", oldContent: "two", newContent: "2", replaceAll: false }],
      output: { patch: [{ ...hunk, lines }], diff, added: 2, removed: 1, userModified: false },
    });
  });

  test("[TL72] a new file is all added lines, though its patch on the wire is empty", () => {
    const structured = {
      type: "create",
      content: "a\nb\n",
      structuredPatch: [],
      originalFile: null,
    };
    const input = { file_path: "/w/new", content: "a\nb\n" };
    const payload = play("Write", input, "File created successfully at: /w/new", structured);
    expect(payload).toMatchObject({
      mutations: [{ type: "create", content: "a\nb\n" }],
      output: { diff: "--- /dev/null\n+++ /w/new\n@@ -0,0 +1,2 @@\n+a\n+b\n", created: true },
    });
    const bare = play("Write", input, "File created successfully at: /w/new");
    expect(bare).toMatchObject({ output: { added: 2, removed: 0, created: true } });
  });

  test("[TL72] where the wire put spaces for leading tabs, the patch is computed from the file", () => {
    const shown = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2 };
    const payload = play("Edit", { file_path: "t", old_string: "\tb", new_string: "\tc $&" }, "", {
      originalFile: "\ta\n\tb\n",
      structuredPatch: [{ ...shown, lines: ["   a", "-  b", "+  c $&"] }],
    });
    const patch = [{ ...shown, lines: [" \ta", "-\tb", "+\tc $&"] }];
    expect(payload).toMatchObject({ output: { patch } });
  });

  test("[TL72] without any structure each edit is a patch of its own", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c\nd", new_string: "c" },
    ];
    const payload = play("MultiEdit", { file_path: "m", edits }, "ok");
    const patch = [{ lines: ["-a", "+b"] }, { lines: [" c", "-d"] }];
    expect(payload).toMatchObject({ output: { patch, added: 1, removed: 2 } });
    const from = play("MultiEdit", { file_path: "m", edits }, "ok", { originalFile: "a\nc\nd\n" });
    expect(from).toMatchObject({ output: { diff: expect.stringContaining("@@ -1,3 +1,2 @@") } });
  });

  test.each([
    ["2.1.325", { old_source: "print(1)\n", new_source: "print(2)", cell_id: "c1" }],
    [
      "2.1.7",
      {
        new_source: "print(2)",
        cell_id: "c1",
        original_file: JSON.stringify({ cells: [{ id: "c1", source: ["print(1)\n"] }] }),
      },
    ],
  ])("[TL72] a notebook edit of %s is a change of its cell", (_version, structured) => {
    const input = { notebook_path: "/w/nb.ipynb", cell_id: "c1", new_source: "print(2)" };
    const payload = play("NotebookEdit", input, "Updated cell c1 with print(2)", structured);
    const lines = ["-print(1)", "+print(2)", "\\ No newline at end of file"];
    expect(payload).toMatchObject({
      filePath: "/w/nb.ipynb",
      mutations: [{ type: "notebook", cell: { id: "c1", mode: "replace" } }],
      output: { patch: [{ lines }], added: 1, removed: 1 },
    });
  });

  test("[TL72] a refused edit has an error and no output", () => {
    const call = describeCall("Edit", { file_path: "x", old_string: "a", new_string: "b" });
    const refused = { content: "Not this file, please.", isError: true };
    const payload = describeResult(call, {
      ...refused,
      structured: "Error: Not this file, please.",
    });
    expect(payload).toEqual({ ...call, error: "Not this file, please." });
  });
});
