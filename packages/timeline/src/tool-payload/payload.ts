import type { Hunk } from "../diff/hunk.ts";

/** JSON from the wire that is kept unchanged. */
export type JsonText =
  | null
  | boolean
  | number
  | string
  | readonly JsonText[]
  | { readonly [key: string]: JsonText };

export type ToolImage = {
  readonly mediaType: string;
  /** Base64, if the picture is part of the result. */
  readonly data?: string;
  readonly url?: string;
  readonly bytes: number;
};

type PayloadBase<Kind extends string, Fields> = Readonly<Fields> & {
  readonly kind: Kind;
  /** The tool's error text, or the user's reason for a denial. */
  readonly error?: string;
};

export type ReadFile = PayloadBase<
  "read_file",
  {
    filePath: string;
    offset?: number;
    limit?: number;
    pages?: string;
    output?: {
      readonly content: string;
      readonly lineCount: number;
      readonly startLine?: number;
      readonly totalLines?: number;
      /** The source has more lines than were requested and returned. */
      readonly truncated: boolean;
      readonly images?: readonly ToolImage[];
    };
  }
>;

export type Mutation = {
  readonly type: "edit" | "create" | "write" | "notebook";
  readonly oldContent?: string;
  readonly newContent?: string;
  readonly content?: string;
  readonly replaceAll?: boolean;
  readonly cell?: { readonly id?: string; readonly type?: string; readonly mode: string };
};

export type ModifyFile = PayloadBase<
  "modify_file",
  {
    filePath: string;
    mutations: readonly Mutation[];
    output?: {
      readonly patch: readonly Hunk[];
      /** The patch as unified diff text. */
      readonly diff: string;
      readonly added: number;
      readonly removed: number;
      readonly created?: boolean;
      readonly userModified?: boolean;
    };
  }
>;

export type ShellExec = PayloadBase<
  "shell_exec",
  {
    command: string;
    workDir?: string;
    description?: string;
    timeoutMs?: number;
    background: boolean;
    output?: {
      /** 0 when the tool succeeded without naming an exit code: only other codes are reported. */
      readonly exitCode?: number;
      /** The meaning of a nonzero exit code that is not a failure ("No matches found"). */
      readonly exitMeaning?: string;
      readonly stdout: string;
      readonly stderr: string;
      readonly interrupted: boolean;
      readonly backgroundTaskId?: string;
      /** The file to which a background command prints while it runs. */
      readonly backgroundOutputPath?: string;
      readonly truncated: boolean;
      /** The file in which the agent stores the whole of a truncated output. */
      readonly fullOutputPath?: string;
      readonly images?: readonly ToolImage[];
    };
  }
>;

export type BackgroundShell = PayloadBase<
  "background_shell",
  {
    operation: "output" | "stop" | "monitor";
    taskId?: string;
    command?: string;
    description?: string;
    timeoutMs?: number;
    output?: {
      readonly text: string;
      readonly taskId?: string;
      readonly taskType?: string;
      readonly status?: string;
      readonly exitCode?: number;
      readonly stderr?: string;
    };
  }
>;

export type CodeSearch = PayloadBase<
  "code_search",
  {
    query?: string;
    pattern?: string;
    path?: string;
    glob?: string;
    mode?: string;
    output?: {
      readonly files: readonly string[];
      readonly fileCount: number;
      readonly content?: string;
      readonly matchCount?: number;
      readonly truncated: boolean;
    };
  }
>;

export type HttpRequest = PayloadBase<
  "http_request",
  {
    url?: string;
    query?: string;
    method: "GET" | "SEARCH";
    prompt?: string;
    output?: {
      readonly response: string;
      readonly status?: number;
      readonly bytes?: number;
      readonly results?: readonly { readonly title: string; readonly url: string }[];
      readonly durationMs?: number;
    };
    isError?: boolean;
  }
>;

export type SubagentTask = PayloadBase<
  "subagent_task",
  {
    description: string;
    prompt: string;
    subagentType?: string;
    background: boolean;
    model?: string;
    output?: {
      readonly text: string;
      readonly agentId?: string;
      readonly tokens?: number;
      readonly toolUses?: number;
      readonly durationMs?: number;
      /** The subagent continues in the background; its report comes later. */
      readonly launched?: boolean;
      readonly outputFile?: string;
    };
  }
>;

export type CreateTask = PayloadBase<
  "create_task",
  {
    title: string;
    description?: string;
    activeForm?: string;
    output?: { readonly id?: string };
  }
>;

/** In an update, an empty `description` or `status` leaves the item's own unchanged. */
export type TodoInput = {
  readonly id?: string;
  readonly description: string;
  readonly status: string;
  readonly activeForm?: string;
  readonly owner?: string;
  /** The ids of the todos that come first. */
  readonly blockedBy?: readonly string[];
};

export type ManageTodos = PayloadBase<
  "manage_todos",
  {
    operation: "write" | "update" | "list" | "get";
    items: readonly TodoInput[];
    output?: {
      /** The items as the tool returned them; missing if it returned none. */
      readonly items?: readonly TodoInput[];
      readonly text: string;
    };
  }
>;

export type ToolQuestion = {
  readonly question: string;
  readonly header?: string;
  readonly multiSelect: boolean;
  readonly options: readonly {
    readonly label: string;
    readonly description?: string;
    readonly preview?: string;
  }[];
};

export type AskedQuestion = PayloadBase<
  "question",
  {
    questions: readonly ToolQuestion[];
    /** By question text; empty if the user answered none. */
    answers?: { readonly [question: string]: string };
  }
>;

export type Plan = PayloadBase<
  "plan",
  {
    operation: "enter" | "exit";
    plan: string;
    filePath?: string;
    approved?: boolean;
  }
>;

export type Skill = PayloadBase<"skill", { name: string; args?: string; output?: string }>;

export type McpTool = PayloadBase<
  "mcp_tool",
  {
    server: string;
    tool: string;
    input: JsonText;
    output?: {
      readonly text: string;
      readonly structured?: JsonText;
      readonly images?: readonly ToolImage[];
    };
  }
>;

export type Worktree = PayloadBase<
  "worktree",
  {
    operation: "enter" | "exit";
    name?: string;
    path?: string;
    action?: string;
    discardChanges?: boolean;
    output?: {
      readonly message: string;
      readonly path?: string;
      readonly branch?: string;
      readonly originalPath?: string;
      readonly discardedFiles?: number;
      readonly discardedCommits?: number;
    };
  }
>;

export type Job = {
  readonly id: string;
  readonly cron?: string;
  readonly prompt?: string;
  readonly schedule?: string;
  readonly recurring?: boolean;
  readonly nextAtMs?: number;
};

export type Schedule = PayloadBase<
  "schedule",
  {
    operation: "create" | "delete" | "list" | "wakeup";
    id?: string;
    cron?: string;
    prompt?: string;
    recurring?: boolean;
    durable?: boolean;
    delaySeconds?: number;
    reason?: string;
    stop?: boolean;
    output?: {
      readonly text: string;
      readonly jobs?: readonly Job[];
      readonly nextAtMs?: number;
      readonly stopped?: boolean;
    };
  }
>;

export type Workflow = PayloadBase<
  "workflow",
  {
    name?: string;
    title?: string;
    description?: string;
    script?: string;
    args?: JsonText;
    output?: {
      readonly text: string;
      readonly launched?: boolean;
      readonly taskId?: string;
      readonly runId?: string;
      readonly name?: string;
      readonly summary?: string;
      readonly scriptPath?: string;
      readonly sessionUrl?: string;
    };
  }
>;

export type Generic = PayloadBase<
  "generic",
  { name: string; input: JsonText; output?: string; images?: readonly ToolImage[] }
>;

export type Detail = { readonly name: string; readonly value: string };

/** A known tool that needs no view of its own: a text describes what it does. */
export type Misc = PayloadBase<
  "misc",
  {
    label: string;
    details: readonly Detail[];
    output?: string;
    images?: readonly ToolImage[];
  }
>;

export type ToolPayload =
  | ReadFile
  | ModifyFile
  | ShellExec
  | BackgroundShell
  | CodeSearch
  | HttpRequest
  | SubagentTask
  | CreateTask
  | ManageTodos
  | AskedQuestion
  | Plan
  | Skill
  | McpTool
  | Worktree
  | Schedule
  | Workflow
  | Generic
  | Misc;

export type ToolKind = ToolPayload["kind"];
export type PayloadOfKind<Kind extends ToolKind> = Extract<ToolPayload, { kind: Kind }>;

/**
 * A tool's answer: the block's content, the wire's `tool_use_result` beside it, and whether it
 * failed.
 */
export type ToolResult = { content: unknown; structured?: unknown; isError: boolean };
