import type { ToolPayload, ToolStatus } from "@signalbox/timeline";
import type { DisplayItem } from "../text/body.ts";
import { colors, diagrams, everyForm, growing, hidden, searchHits } from "./sample-texts.ts";
import { everyState } from "./every-state.ts";
import { everyTool } from "./every-tool.ts";
import { createItemBase, createSpecimen } from "./create-specimen.ts";
import type { Specimen } from "./specimens.ts";

/** States that no recording contains. */

const chart =
  "iVBORw0KGgoAAAANSUhEUgAAAHgAAABQCAIAAABd+SbeAAAAsklEQVR42u3bQQkAMAwDwDqZkmmZw2mZlimYhz5GoQf5B+4bEnfPdMY66XTrDdCgQYMGDRo0aNCgQYMGDRo0aNCgQYMGDRo0aNCgi0LD+tMLGjRo0KBBgwYNGjRo0KBBgwYNGjRo0KBBgwYNGnRVaFhWcNCgQYMGDRo0aNCgQYMGDRo0aNCgQYMGDRo0aNB+hrCs4KBBgwYNGjRo0KBBgwYNGjRo0KBBgwYNGjRo0KDbQj+izGm2AfCCOAAAAABJRU5ErkJggg==";

function tool(
  name: string,
  title: string,
  payload: ToolPayload,
  status: ToolStatus = "complete",
): Specimen {
  const ended =
    status === "running" || status === "preparing" ? {} : { endedAt: Date.now() - 72_800 };
  return createSpecimen({ kind: "tool", name, title, status, payload, ...ended });
}

/** An item that the types do not allow: a truncated text, or an unknown kind. */
function foreign(group: string, state: string, item: object): Specimen {
  const whole = { ...createItemBase(), ...item };
  return { group, state, from: "made by hand", item: whole as DisplayItem, story: [] };
}

function shell(
  stdout: string,
  more: { exitCode?: number; stderr?: string; command?: string } = {},
): ToolPayload {
  return {
    kind: "shell_exec",
    command: more.command ?? "npm test -- --filter read-lines",
    background: false,
    output: {
      exitCode: more.exitCode ?? 0,
      stdout,
      stderr: more.stderr ?? "",
      interrupted: false,
      truncated: false,
    },
  };
}

const manyLines = Array.from({ length: 400 }, (_, at) => `line ${at + 1} of a long output`).join(
  "\n",
);

const editPatch: ToolPayload = {
  kind: "modify_file",
  filePath: "/home/dev/demo/src/read-lines.ts",
  mutations: [{ type: "edit", oldContent: "return lines;", newContent: "return lines;" }],
  output: {
    patch: [
      {
        oldStart: 3,
        oldLines: 7,
        newStart: 3,
        newLines: 8,
        lines: [
          " export function readLines(text: string): string[] {",
          "   const lines: string[] = [];",
          "   let at = 0;",
          '-  for (let end = text.indexOf("\\n"); end !== -1; end = text.indexOf("\\n", at)) {',
          '+  for (let end = text.indexOf("\\n", at); end >= 0; end = text.indexOf("\\n", at)) {',
          "     lines.push(text.slice(at, end));",
          "     at = end + 1;",
          "   }",
        ],
      },
      {
        oldStart: 31,
        oldLines: 4,
        newStart: 31,
        newLines: 6,
        lines: [
          "-  // the rest is dropped",
          "+  // the rest is a line too,",
          "+  // even when nothing ends it",
          "+  if (at < text.length) lines.push(text.slice(at));",
          "   return lines;",
          " }",
          "\\ No newline at end of file",
        ],
      },
    ],
    diff: "",
    added: 4,
    removed: 2,
  },
};

export function handmadeSpecimens(): Specimen[] {
  return [
    createSpecimen({ kind: "text", text: everyForm, live: false }),
    createSpecimen({ kind: "text", text: diagrams, live: false }, "diagrams"),
    createSpecimen({ kind: "text", text: growing, live: true }),
    createSpecimen({ kind: "thinking", text: growing.repeat(30), live: true }),
    createSpecimen({ kind: "thinking", text: "", live: false }, "thinking kept to itself"),
    createSpecimen({
      kind: "prompt",
      origin: "person",
      arrived: true,
      content: [
        { type: "text", text: "What is wrong in this picture?\n\nIt should be blue." },
        { type: "image", source: { type: "base64", media_type: "image/png", data: chart } },
      ],
    }),
    createSpecimen(
      {
        kind: "prompt",
        origin: "person",
        arrived: true,
        content: "Make the heading shorter.",
        context: { title: "Slide 3", data: { view: "slides", selection: { element: "h1" } } },
      },
      "prompt with context",
    ),
    createSpecimen(
      { kind: "prompt", origin: "person", arrived: false, content: "And then?" },
      "prompt on its way",
    ),
    createSpecimen({
      kind: "tool",
      name: "Write",
      title: "Write",
      status: "preparing",
      inputText:
        '{"file_path":"/home/dev/demo/src/a.ts","content":"export const a = 1;\\nexport const',
    }),
    createSpecimen(
      {
        kind: "tool",
        name: "Bash",
        title: "Bash",
        status: "preparing",
        inputText: '{"description":"Run the tests","command":"npm test -- --filter \\"read',
      },
      "command being written",
    ),
    tool(
      "Bash",
      "npm test",
      { kind: "shell_exec", command: "npm test", background: false },
      "running",
    ),
    tool("Bash", "npm test", shell(colors, { exitCode: 1 }), "error"),
    tool(
      "Bash",
      "seq",
      shell(manyLines, { command: "for i in $(seq 400); do\n  echo line $i\ndone" }),
    ),
    tool(
      "Bash",
      "node",
      shell("out", { stderr: "warning: this is deprecated", command: "node a.mjs" }),
    ),
    tool("Edit", "src/read-lines.ts", editPatch),
    tool(
      "Edit",
      "src/wanted.ts",
      {
        kind: "modify_file",
        filePath: "/home/dev/demo/src/wanted.ts",
        mutations: [
          { type: "edit", oldContent: "const a = 1;", newContent: "const a = 2;\nconst b = 3;" },
        ],
      },
      "running",
    ),
    tool("Read", "src/read-lines.ts", {
      kind: "read_file",
      filePath: "/home/dev/demo/src/read-lines.ts",
      offset: 40,
      output: {
        content: Array.from({ length: 30 }, (_, at) => `const value${at} = ${at}; // ${at}`).join(
          "\n",
        ),
        lineCount: 30,
        startLine: 40,
        totalLines: 700,
        truncated: true,
      },
    }),
    tool("Read", "chart.png", {
      kind: "read_file",
      filePath: "/home/dev/demo/chart.png",
      output: {
        content: "",
        lineCount: 0,
        truncated: false,
        images: [{ mediaType: "image/png", data: chart, bytes: 150 }],
      },
    }),
    tool("Grep", "readLines", {
      kind: "code_search",
      pattern: "readLines",
      glob: "*.ts",
      mode: "content",
      output: { files: [], fileCount: 3, content: searchHits, matchCount: 4, truncated: false },
    }),
    tool("WebFetch", "https://example.com/", {
      kind: "http_request",
      method: "GET",
      url: "https://example.com/a/long/path?with=a&query=too",
      prompt: "What is on this page?",
      output: {
        response: "The page is **an example**.",
        status: 200,
        bytes: 1256,
        durationMs: 320,
      },
    }),
    tool("WebSearch", "how do signal boxes work", {
      kind: "http_request",
      method: "SEARCH",
      query: "how do signal boxes work",
      output: {
        response: "",
        results: [
          { title: "Signal box", url: "https://en.example.org/wiki/Signal_box" },
          { title: "Levers and locks", url: "https://levers.example.com/" },
        ],
      },
    }),
    tool("TodoWrite", "3 items", {
      kind: "manage_todos",
      operation: "write",
      items: [
        { id: "1", description: "Reproduce", status: "completed" },
        { id: "2", description: "Fix", activeForm: "Fixing the reader", status: "in_progress" },
        { id: "3", description: "Release", status: "pending", owner: "reviewer" },
      ],
    }),
    tool("AskUserQuestion", "2 questions", {
      kind: "question",
      questions: [
        {
          question: "Which files?",
          header: "Scope",
          multiSelect: true,
          options: [
            { label: "Sources", description: "everything under src" },
            { label: "Tests, too", description: "and their fixtures" },
            { label: "Docs" },
          ],
        },
        {
          question: "How fast?",
          multiSelect: false,
          options: [{ label: "Now" }, { label: "Later" }],
        },
      ],
      answers: {
        "Which files?": "Sources, Tests, too",
        "How fast?": "When you are done with the rest",
      },
    }),
    tool("mcp__charts__draw", "charts: draw", {
      kind: "mcp_tool",
      server: "charts",
      tool: "draw",
      input: { kind: "bar", values: [1, 2, 3] },
      output: {
        text: '{"drawn":true}',
        structured: { drawn: true, width: 120 },
        images: [{ mediaType: "image/png", data: chart, bytes: 150 }],
      },
    }),
    tool("Mystery", "Mystery", {
      kind: "generic",
      name: "Mystery",
      input: { a: 1 },
      output: "It did something.",
    }),
    createSpecimen({
      kind: "ask",
      ask: "permission",
      title: "Bash",
      tool: "Bash",
      input: { command: hidden },
      suggestions: [],
      status: "open",
      reason: "This command needs approval.",
    }),
    createSpecimen({
      kind: "block",
      block: { type: "server_tool_use", name: "web_search" },
      live: false,
    }),
    createSpecimen({ kind: "compaction", state: "running" }),
    createSpecimen({
      kind: "compaction",
      state: "failed",
      error: "The model answered 529.",
      trigger: "auto",
    }),
    createSpecimen({
      kind: "hook",
      name: "lint",
      event: "PostToolUse",
      state: "ended",
      outcome: "error",
      output: "2 errors",
    }),
    createSpecimen({ kind: "task", description: "npm run dev", status: "running" }),
    createSpecimen({
      kind: "opaque",
      why: "this type is not known",
      name: "new_message",
      raw: '{"type":"new_message","a":[1,2]}',
    }),
    foreign("tool cut body", "Bash complete", {
      kind: "tool",
      name: "Bash",
      title: "cat big.log",
      status: "complete",
      payload: {
        kind: "shell_exec",
        command: "cat big.log",
        background: false,
        output: {
          stdout: {
            $blob: "0".repeat(64),
            bytes: 1_234_567,
            characters: 1_234_567,
            head: manyLines.slice(0, 2048),
            tail: manyLines.slice(-2048),
          },
          stderr: "",
          interrupted: false,
          truncated: false,
        },
      },
    }),
    foreign("from the future", "a kind nobody knows", {
      kind: "hologram",
      text: "hello",
      parts: [1, 2, 3],
    }),
    foreign("broken", "a view that fails", {
      kind: "tool",
      name: "Read",
      title: "x",
      status: "complete",
      payload: { kind: "read_file", filePath: null, output: { images: 3 } },
    }),
    ...everyTool(),
    ...everyState(),
  ];
}
