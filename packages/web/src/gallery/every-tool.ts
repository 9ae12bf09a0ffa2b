import type { PayloadOfKind, ToolKind, ToolPayload, ToolStatus } from "@signalbox/timeline";
import { createItemBase, createSpecimen } from "./create-specimen.ts";
import type { Specimen } from "./specimens.ts";

interface Sample<Kind extends ToolKind> {
  readonly name: string;
  readonly title: string;
  /** The input as the agent sends it. */
  readonly input: object;
  /** The payload while the call runs. */
  readonly asked: PayloadOfKind<Kind>;
  /** The payload fields that the result adds. */
  readonly gives: Partial<PayloadOfKind<Kind>>;
}

const file = "/home/dev/demo/src/read-lines.ts";

/** One call of every kind of tool. A missing kind does not compile. */
const samples: { readonly [Kind in ToolKind]: Sample<Kind> } = {
  read_file: {
    name: "Read",
    title: file,
    input: { file_path: file, limit: 2 },
    asked: { kind: "read_file", filePath: file, limit: 2 },
    gives: {
      output: { content: "const a = 1;\nconst b = 2;", lineCount: 2, truncated: false },
    },
  },
  modify_file: {
    name: "Edit",
    title: file,
    input: { file_path: file, old_string: "const a = 1;", new_string: "const a = 2;" },
    asked: {
      kind: "modify_file",
      filePath: file,
      mutations: [{ type: "edit", oldContent: "const a = 1;", newContent: "const a = 2;" }],
    },
    gives: {
      output: {
        patch: [
          {
            oldStart: 1,
            oldLines: 1,
            newStart: 1,
            newLines: 1,
            lines: ["-const a = 1;", "+const a = 2;"],
          },
        ],
        diff: "",
        added: 1,
        removed: 1,
      },
    },
  },
  shell_exec: {
    name: "Bash",
    title: "npm test",
    input: { command: "npm test", description: "Run the tests" },
    asked: { kind: "shell_exec", command: "npm test", background: false },
    gives: {
      output: {
        exitCode: 0,
        stdout: "12 passed",
        stderr: "",
        interrupted: false,
        truncated: false,
      },
    },
  },
  background_shell: {
    name: "TaskOutput",
    title: "b1",
    input: { task_id: "b1", block: true },
    asked: { kind: "background_shell", operation: "output", taskId: "b1" },
    gives: { output: { text: "listening on 5173", taskId: "b1", status: "running" } },
  },
  code_search: {
    name: "Grep",
    title: "readLines",
    input: { pattern: "readLines", glob: "*.ts" },
    asked: { kind: "code_search", pattern: "readLines", glob: "*.ts" },
    gives: { output: { files: [file], fileCount: 1, truncated: false } },
  },
  http_request: {
    name: "WebFetch",
    title: "https://example.com/",
    input: { url: "https://example.com/", prompt: "What is on this page?" },
    asked: { kind: "http_request", method: "GET", url: "https://example.com/", prompt: "What?" },
    gives: { output: { response: "An example.", status: 200, bytes: 1256, durationMs: 320 } },
  },
  subagent_task: {
    name: "Task",
    title: "Look for readers",
    input: { description: "Look for readers", prompt: "Find every place that reads lines." },
    asked: {
      kind: "subagent_task",
      description: "Look for readers",
      prompt: "Find every place that reads lines.",
      subagentType: "Explore",
      background: false,
    },
    gives: { output: { text: "There are two.", tokens: 4200, toolUses: 3, durationMs: 9000 } },
  },
  create_task: {
    name: "TaskCreate",
    title: "Fix the reader",
    input: { subject: "Fix the reader", description: "Keep the last line." },
    asked: { kind: "create_task", title: "Fix the reader", description: "Keep the last line." },
    gives: { output: { id: "1" } },
  },
  manage_todos: {
    name: "TodoWrite",
    title: "2 items",
    input: { todos: [{ content: "Reproduce", status: "completed" }, { content: "Fix" }] },
    asked: {
      kind: "manage_todos",
      operation: "write",
      items: [
        { id: "1", description: "Reproduce", status: "completed" },
        { id: "2", description: "Fix", status: "in_progress" },
      ],
    },
    gives: { output: { text: "Written." } },
  },
  question: {
    name: "AskUserQuestion",
    title: "Which files?",
    input: { questions: [{ question: "Which files?", header: "Scope", options: [] }] },
    asked: {
      kind: "question",
      questions: [
        {
          question: "Which files?",
          header: "Scope",
          multiSelect: false,
          options: [{ label: "Sources", description: "under src" }, { label: "Tests" }],
        },
      ],
    },
    gives: { answers: { "Which files?": "Sources" } },
  },
  plan: {
    name: "ExitPlanMode",
    title: "Plan",
    input: { plan: "# The plan\n\n1. Fix **it**." },
    asked: { kind: "plan", operation: "exit", plan: "# The plan\n\n1. Fix **it**.\n2. Test it." },
    gives: { approved: true },
  },
  skill: {
    name: "Skill",
    title: "release",
    input: { skill: "release", args: "--dry-run" },
    asked: { kind: "skill", name: "release", args: "--dry-run" },
    gives: { output: "Released." },
  },
  mcp_tool: {
    name: "mcp__charts__draw",
    title: "charts: draw",
    input: { values: [1, 2], title: "A chart" },
    asked: { kind: "mcp_tool", server: "charts", tool: "draw", input: { values: [1, 2] } },
    gives: { output: { text: "Drawn." } },
  },
  worktree: {
    name: "EnterWorktree",
    title: "try",
    input: { name: "try" },
    asked: { kind: "worktree", operation: "enter", name: "try" },
    gives: { output: { message: "Entered.", path: "/home/dev/demo.try", branch: "try" } },
  },
  schedule: {
    name: "CronCreate",
    title: "every hour",
    input: { cron: "0 * * * *", prompt: "Look again." },
    asked: { kind: "schedule", operation: "create", cron: "0 * * * *", prompt: "Look again." },
    gives: { output: { text: "Scheduled.", jobs: [{ id: "j1", cron: "0 * * * *" }] } },
  },
  workflow: {
    name: "Workflow",
    title: "Review",
    input: { name: "review", args: { deep: true } },
    asked: { kind: "workflow", name: "review", title: "Review", description: "All of it." },
    gives: { output: { text: "Started.", launched: true, taskId: "w1" } },
  },
  generic: {
    name: "Mystery",
    title: "Mystery",
    input: { a: 1, b: "two" },
    asked: { kind: "generic", name: "Mystery", input: { a: 1 } },
    gives: { output: "It did something." },
  },
  misc: {
    name: "Sleep",
    title: "Sleep",
    input: { duration: "5 s" },
    asked: { kind: "misc", label: "Sleep", details: [{ name: "for", value: "5 s" }] },
    gives: { output: "Awake." },
  },
};

/** How each state changes a call's payload. A missing state does not compile. */
const states: {
  readonly [Status in Exclude<ToolStatus, "preparing">]: (gives: object) => object;
} = {
  running: () => ({}),
  complete: (gives) => gives,
  error: () => ({ error: "ENOENT: no such file or directory" }),
  denied: (gives) => ({
    error: "The user doesn't want to proceed: not on a Sunday.",
    ...("approved" in gives && { approved: false }),
  }),
  interrupted: () => ({}),
};

/** Every kind of tool in every state. */
export function everyTool(): Specimen[] {
  return Object.values(samples).flatMap(({ name, title, input, asked, gives }) => [
    preparingCall(name, title, asked.kind, input),
    ...Object.entries(states).map(([status, known]) => {
      const payload = { ...asked, ...known(gives) } as ToolPayload;
      const ended = status === "running" ? {} : { endedAt: Date.now() - 72_800 };
      const call = { name, title, status: status as ToolStatus, payload, ...ended };
      const shown = createSpecimen({ kind: "tool", ...call });
      return asked.kind === "subagent_task"
        ? { ...shown, story: subagentSteps(shown.item.id, status === "running") }
        : shown;
    }),
  ]);
}

/** A call whose input is still being written. It has no kind yet, only a name. */
function preparingCall(name: string, title: string, kind: ToolKind, input: object): Specimen {
  const text = JSON.stringify(input);
  const inputText = text.slice(0, Math.ceil(text.length * 0.8));
  const body = { kind: "tool", name, title, status: "preparing", inputText } as const;
  return createSpecimen(body, `tool ${kind}`);
}

/** The steps of a subagent so far. */
function subagentSteps(parent: string, runs: boolean): Specimen["story"] {
  const { name, title, asked, gives } = samples.code_search;
  const call = runs
    ? ({ status: "running", payload: asked } as const)
    : ({ status: "complete", payload: { ...asked, ...gives } } as const);
  return [
    { ...createItemBase(), parent, kind: "text", text: "I look for them.", live: false },
    { ...createItemBase(), parent, kind: "tool", name, title, ...call },
  ];
}
