import { describe, expect, test } from "bun:test";
import { describeCall, describeResult } from "../src/tools/index.ts";

function play(name: string, input: unknown, content: unknown, structured?: unknown) {
  return describeResult(describeCall(name, input), { content, structured, isError: false });
}

/** Each answer as 2.1.7 gave it: the text and the structure beside it tell the same. */
describe("searching tells the same from the structure and from the text", () => {
  test.each([
    [
      "files by name",
      "Glob",
      { pattern: "**/*.txt" },
      "/w/long.txt\n/w/x.txt",
      { filenames: ["/w/long.txt", "/w/x.txt"], durationMs: 15, numFiles: 2, truncated: false },
      { files: ["/w/long.txt", "/w/x.txt"], fileCount: 2, truncated: false },
    ],
    [
      "no file",
      "Glob",
      { pattern: "*.zzz" },
      "No files found",
      { filenames: [], durationMs: 10, numFiles: 0, truncated: false },
      { files: [], fileCount: 0, truncated: false },
    ],
    [
      "files with matches",
      "Grep",
      { pattern: "two" },
      "Found 1 file\nx.txt",
      { mode: "files_with_matches", filenames: ["x.txt"], numFiles: 1 },
      { files: ["x.txt"], fileCount: 1, truncated: false },
    ],
    [
      "lines",
      "Grep",
      { pattern: "line", output_mode: "content", head_limit: 2 },
      "long.txt:1:line 1\nlong.txt:2:line 2\n\n[Showing results with pagination = limit: 2, offset: 0]",
      {
        mode: "content",
        numFiles: 0,
        filenames: [],
        content: "long.txt:1:line 1\nlong.txt:2:line 2",
        numLines: 2,
        appliedLimit: 2,
      },
      {
        files: ["long.txt"],
        fileCount: 1,
        content: "long.txt:1:line 1\nlong.txt:2:line 2",
        matchCount: 2,
        truncated: true,
      },
    ],
    [
      "counts",
      "Grep",
      { pattern: "line", output_mode: "count" },
      "long.txt:3000\n\nFound 3000 total occurrences across 1 file.",
      {
        mode: "count",
        numFiles: 1,
        filenames: [],
        content: "long.txt:3000",
        numMatches: 3000,
      },
      {
        files: ["long.txt"],
        fileCount: 1,
        content: "long.txt:3000",
        matchCount: 3000,
        truncated: false,
      },
    ],
  ])("[TL75] %s", (_what, name, input, text, structured, output) => {
    expect(play(name, input, text, structured)).toMatchObject({ kind: "code_search", output });
    expect(play(name, input, text)).toMatchObject({ kind: "code_search", output });
  });

  test("[TL75] the old LS lists what is there", () => {
    const payload = play("LS", { path: "/w" }, "- /w/\n  - a.txt\n  - b/");
    expect(payload).toMatchObject({ path: "/w", output: { files: ["/w/", "a.txt", "b/"] } });
  });
});

describe("the web", () => {
  test("[TL75] a page: status, size, words", () => {
    const input = { url: "https://example.org/", prompt: "What is it?" };
    const fetched = {
      bytes: 1256,
      code: 200,
      codeText: "OK",
      result: "An example.",
      durationMs: 812,
      url: "https://example.org/",
    };
    expect(play("WebFetch", input, "An example.", fetched)).toEqual({
      kind: "http_request",
      ...input,
      method: "GET",
      output: { response: "An example.", status: 200, bytes: 1256, durationMs: 812 },
    });
    expect(play("WebFetch", input, "An example.")).toMatchObject({
      output: { response: "An example." },
    });
  });

  test("[TL75] a search: the links and what was said about them", () => {
    const content = [{ title: "Cats", url: "https://cats.example/", snippet: "…" }];
    const structured = {
      query: "cats",
      results: [{ tool_use_id: "s1", content }, "All about cats."],
      durationSeconds: 1.50004,
    };
    expect(play("WebSearch", { query: "cats" }, "…", structured)).toEqual({
      kind: "http_request",
      query: "cats",
      method: "SEARCH",
      output: {
        response: "All about cats.",
        results: [{ title: "Cats", url: "https://cats.example/" }],
        durationMs: 1500,
      },
    });
  });

  test("[TL75] a failure is marked", () => {
    const call = describeCall("WebFetch", { url: "http://127.0.0.1:1/", prompt: "p" });
    const failed = describeResult(call, { content: "Unable to verify", isError: true });
    expect(failed).toEqual({ ...call, isError: true, error: "Unable to verify" } as typeof failed);
  });
});
