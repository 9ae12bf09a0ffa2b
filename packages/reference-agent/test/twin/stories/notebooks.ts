import { next, prompt, say, tool } from "../script.ts";
import { allow, type Stage, type Story } from "../story.ts";

const emptyCell = { cell_type: "code", outputs: [], execution_count: null, metadata: {} };

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const shown = (data: object) => ({ output_type: "display_data", data, metadata: {} });
const worked = {
  cells: [
    {
      ...emptyCell,
      id: "a1",
      source: ["draw(1)\n", "fail()"],
      execution_count: 3,
      outputs: [
        { output_type: "stream", name: "stdout", text: ["one\n", "two\n"] },
        { ...shown({ "text/plain": ["42"] }), output_type: "execute_result", execution_count: 3 },
        shown({ "image/png": `${dot}\n`, "text/plain": ["<Figure>"] }),
        shown({ "text/html": ["<b>x</b>"] }),
        { output_type: "error", ename: "Flaw", evalue: "bad", traceback: ["here", "there"] },
      ],
    },
    { cell_type: "markdown", id: "m1", source: "# One", metadata: {} },
    {
      ...emptyCell,
      source: "much()",
      outputs: [{ output_type: "stream", name: "stdout", text: "much ".repeat(3000) }],
    },
    { cell_type: "raw", source: "raw", metadata: {} },
  ],
  metadata: { language_info: { name: "julia" } },
  nbformat: 4,
  nbformat_minor: 5,
};

async function readAndEdit(stage: Stage, change: object): Promise<void> {
  const path = `${stage.folder}/sums.ipynb`;
  const talk = stage.open({ canUseTool: allow });
  await talk.turn(
    prompt(
      "Sums",
      tool("Read", { file_path: path }),
      next,
      tool("NotebookEdit", { notebook_path: path, ...change }),
      say("So it went."),
    ),
  );
}

export const notebooks: Story[] = [
  {
    name: "notebooks that are none, not read, or without the cell",
    files: {
      "sums.ipynb": JSON.stringify({
        cells: [{ ...emptyCell, source: ["1 + 1"] }],
        nbformat: 4,
        nbformat_minor: 4,
        metadata: {},
      }),
      "half.ipynb": "{",
      "empty.ipynb": "",
      "text.txt": "text\n",
    },
    async play(stage) {
      const edit = (name: string, more: object = {}) =>
        tool("NotebookEdit", {
          notebook_path: `${stage.folder}/${name}`,
          new_source: "2 + 2",
          ...more,
        });
      const read = (name: string) => tool("Read", { file_path: `${stage.folder}/${name}` });
      const calls = [
        edit("missing.ipynb", { cell_id: "cell-0" }),
        edit("sums.ipynb", { cell_id: "cell-0" }),
        edit("text.txt", { cell_id: "cell-0" }),
        read("half.ipynb"),
        read("empty.ipynb"),
        edit("half.ipynb", { cell_id: "cell-0" }),
        read("sums.ipynb"),
        edit("sums.ipynb"),
        edit("sums.ipynb", { cell_id: "a1" }),
        edit("sums.ipynb", { cell_id: "cell-9" }),
        edit("sums.ipynb", { edit_mode: "insert" }),
        edit("sums.ipynb", { edit_mode: "insert", cell_type: "code" }),
        edit("sums.ipynb", { edit_mode: "insert", cell_type: "markdown" }),
        edit("sums.ipynb", { edit_mode: "delete" }),
      ];
      const talk = stage.open({ canUseTool: allow });
      await talk.turn(prompt("Sums", ...calls.flatMap((call) => [call, next]), say("So it went.")));
    },
  },
  {
    name: "a notebook",
    files: {
      "sums.ipynb": JSON.stringify({
        cells: [{ ...emptyCell, id: "a1", source: ["1 + 1"] }],
        nbformat: 4,
        nbformat_minor: 5,
        metadata: {},
      }),
    },
    play: (stage) => readAndEdit(stage, { cell_id: "a1", new_source: "2 + 2" }),
  },
  {
    name: "a notebook that has drawn, printed and failed",
    files: { "sums.ipynb": JSON.stringify(worked), "none.ipynb": '{"cells": 3}' },
    play: (stage) =>
      readAndEdit(stage, { cell_id: "cell-1", new_source: "Two", cell_type: "markdown" }),
  },
];
