import { describe, expect, test } from "bun:test";
import { describeCall, describeResult, type ToolResult } from "../src/tools/index.ts";

const call = describeCall("Bash", { command: "make", description: "Build", timeout: 1000 });
const quiet = { stderr: "", interrupted: false, truncated: false };

describe("running a command", () => {
  test("[TL74] the call", () => {
    expect(call).toEqual({
      kind: "shell_exec",
      command: "make",
      description: "Build",
      timeoutMs: 1000,
      background: false,
    });
  });

  const stopped =
    "The user doesn't want to proceed with this tool use. The tool use was rejected. Correction " +
    "to the text above: this call was stopped while running, not refused before it ran.";
  const rejected = "User rejected tool use";
  const results: [what: string, result: Partial<ToolResult>, expected: object][] = [
    [
      "success",
      { content: "out", structured: { stdout: "out", stderr: "e", interrupted: false } },
      { output: { ...quiet, exitCode: 0, stdout: "out", stderr: "e" } },
    ],
    [
      "a code with a meaning",
      {
        content: "(Bash completed with no output)",
        structured: { stdout: "", stderr: "", returnCodeInterpretation: "No matches found" },
      },
      { output: { ...quiet, stdout: "", exitMeaning: "No matches found" } },
    ],
    [
      "in the background",
      { content: "…", structured: { stdout: "", stderr: "", backgroundTaskId: "b2m6s47vi" } },
      { output: { ...quiet, stdout: "", backgroundTaskId: "b2m6s47vi" } },
    ],
    [
      "too much output",
      { content: "…", structured: { stdout: "1\n2", stderr: "", persistedOutputPath: "/t/b.txt" } },
      {
        output: {
          ...quiet,
          exitCode: 0,
          stdout: "1\n2",
          truncated: true,
          fullOutputPath: "/t/b.txt",
        },
      },
    ],
    ["text alone", { content: "hi" }, { output: { ...quiet, exitCode: 0, stdout: "hi" } }],
    [
      "text alone, in the background",
      { content: "Command running in background with ID: b09f4d2. Output is being written to: /t" },
      { output: { ...quiet, stdout: "", backgroundTaskId: "b09f4d2" } },
    ],
    [
      "text alone, silent",
      { content: "(Bash completed with no output)" },
      { output: { ...quiet, exitCode: 0, stdout: "" } },
    ],
    [
      "failure",
      {
        content: "Exit code 3\nout\nerr",
        structured: "Error: Exit code 3\nout\nerr",
        isError: true,
      },
      { output: { ...quiet, exitCode: 3, stdout: "out\nerr" }, error: "Exit code 3\nout\nerr" },
    ],
    [
      "stopped on 2.1.7",
      {
        content: "Exit code 137\n[Request interrupted by user for tool use]\nbegun",
        isError: true,
      },
      { output: { ...quiet, exitCode: 137, stdout: "begun", interrupted: true } },
    ],
    [
      "stopped on 2.1.325",
      { content: stopped, structured: rejected, isError: true },
      { output: { ...quiet, stdout: "", interrupted: true }, error: "Interrupted by the user" },
    ],
    [
      "never run",
      { content: "The user doesn't want to proceed.", structured: rejected, isError: true },
      { error: rejected },
    ],
  ];
  test.each(results)("[TL74] %s", (_what, result, expected) => {
    const payload = describeResult(call, { content: "", isError: false, ...result });
    expect(payload).toMatchObject(expected);
    expect({ ...payload, ...expected }).toEqual(payload);
    expect("output" in payload).toBe("output" in expected);
  });

  test("[TL74] a picture on stdout is an image, not text", () => {
    const structured = { stdout: "data:image/png;base64,AAAA", stderr: "", isImage: true };
    const output = { stdout: "", images: [{ mediaType: "image/png", data: "AAAA", bytes: 3 }] };
    expect(describeResult(call, { content: [], structured, isError: false })).toMatchObject({
      output,
    });
  });
});

describe("tasks in the background", () => {
  const task = { task_id: "b1", task_type: "local_bash", status: "failed", description: "bg" };
  const tags =
    "<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n" +
    "<task_type>local_bash</task_type>\n\n<status>failed</status>\n\n" +
    "<exit_code>2</exit_code>\n\n<output>\nhi\n</output>";
  const output = {
    text: "hi\n",
    taskId: "b1",
    taskType: "local_bash",
    status: "failed",
    exitCode: 2,
  };

  test("[TL74] of a subagent's transcript TaskOutput tells the last words", () => {
    const says = (type: string, block: object) =>
      JSON.stringify({
        parentUuid: null,
        isSidechain: true,
        type,
        message: { role: type, content: [block] },
      });
    const output = [
      says("user", { type: "text", text: "Look around." }),
      says("assistant", { type: "text", text: "An ordinary folder." }),
      says("assistant", { type: "tool_use", id: "t1", name: "Bash", input: {} }),
    ].join("\n");
    const task = { task_id: "a1", task_type: "local_agent", status: "completed", output };
    const payload = describeCall("TaskOutput", { task_id: "a1" });
    expect(
      describeResult(payload, { content: "", structured: { task }, isError: false }),
    ).toMatchObject({
      output: { text: "An ordinary folder." },
    });
  });

  test("[TL74] TaskOutput tells the same from the structure and from the text", () => {
    const asked = describeCall("TaskOutput", { task_id: "b1", block: true, timeout: 5000 });
    const structured = {
      retrieval_status: "success",
      task: { ...task, output: "hi\n", exitCode: 2 },
    };
    const rich = describeResult(asked, { content: tags, structured, isError: false });
    expect(rich).toMatchObject({ operation: "output", taskId: "b1", description: "bg", output });
    expect(describeResult(asked, { content: tags, isError: false })).toMatchObject({ output });
  });

  test.each([
    ["KillShell", { shell_id: "b1" }],
    ["TaskStop", { task_id: "b1" }],
  ])("[TL74] %s tells what was stopped", (name, input) => {
    const structured = { message: "Successfully stopped task: b1 (sleep 30)", command: "sleep 30" };
    const payload = describeResult(describeCall(name, input), {
      content: JSON.stringify(structured),
      structured,
      isError: false,
    });
    expect(payload).toEqual({
      kind: "background_shell",
      operation: "stop",
      taskId: "b1",
      command: "sleep 30",
      output: { text: "Successfully stopped task: b1 (sleep 30)" },
    });
  });

  test("[TL74] what was stopped is told from the words alone", () => {
    const asked = describeCall("KillShell", { shell_id: "b1" });
    const content = '{"message":"Successfully killed shell: b1 (sleep 30 (long))","shell_id":"b1"}';
    expect(describeResult(asked, { content, isError: false })).toMatchObject({
      command: "sleep 30 (long)",
    });
  });

  test("[TL74] Monitor knows its task", () => {
    const asked = describeCall("Monitor", { description: "watch", timeout_ms: 2000, command: "c" });
    const result = { content: "Monitor started (task bt1, …)", isError: false };
    const started = { output: { taskId: "bt1", text: result.content } };
    expect(describeResult(asked, { ...result, structured: { taskId: "bt1" } })).toMatchObject(
      started,
    );
    expect(describeResult(asked, result)).toMatchObject(started);
  });
});
