import { formatLogMarker } from "@signalbox/protocol";
import type { Order } from "@signalbox/api/link";

/** Sequences for terminals: the clipboard, links, titles, questions, and what never ends. */
export const terminalTricks = [
  "\u001b]52;c;c3RvbGVu\u0007",
  "\u001b]8;;javascript:alert(1)\u0007click\u001b]8;;\u0007",
  "\u001b]8;;https://evil.test/x\u001b\\click\u001b]8;;\u001b\\",
  "\u001b]0;owned\u0007",
  "\u001b]2;owned\u001b\\",
  "\u001b[c\u001b[>c\u001b[6n\u001b[?2026$p\u001b]11;?\u0007\u001b[21t",
  "\u001bP+q544e\u001b\\",
  "\u001bP$qm\u001b\\",
  "\u001b[2J\u001b[H\u001b[?1049h\u001b[?1000h",
  "\u001b_Gf=100;AAAA\u001b\\",
  "\u009d52;c;c3RvbGVu\u009c",
  "\u001b]1337;File=inline=1:AAAA\u0007",
  "\u001b]52;c;never ended",
];

let made = 0;
function say(message: object): string {
  const uuid = `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;
  return JSON.stringify({ session_id: "5f1c3f0e-0000-4000-8000-000000000000", uuid, ...message });
}
function assistant(id: string, content: readonly object[], lane: string | null): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id, role: "assistant", model: "m", content, usage };
  return say({ type: "assistant", parent_tool_use_id: lane, message });
}

/** Inputs with this text wherever there is one, by tool. */
function calls(p: string): Readonly<Record<string, object>> {
  const option = { label: p, description: p, preview: p };
  return {
    Bash: { command: p, description: p },
    BashOutput: { bash_id: p, filter: p },
    Read: { file_path: p },
    Write: { file_path: p, content: p },
    Edit: { file_path: p, old_string: p, new_string: `${p} more` },
    MultiEdit: { file_path: p, edits: [{ old_string: p, new_string: `${p} more` }] },
    NotebookEdit: { notebook_path: p, new_source: p, cell_type: p },
    Glob: { pattern: p, path: p },
    Grep: { pattern: p, path: p, glob: p, output_mode: "content" },
    LS: { path: p },
    WebFetch: { url: p, prompt: p },
    WebSearch: { query: p },
    Task: { description: p, prompt: p, subagent_type: p },
    TodoWrite: { todos: [{ content: p, activeForm: p, status: "in_progress" }] },
    TaskCreate: { subject: p, description: p, activeForm: p },
    AskUserQuestion: { questions: [{ question: p, header: p, options: [option, option] }] },
    ExitPlanMode: { plan: p },
    Skill: { skill: p, args: p },
    mcp__server__tool: { any: p, deep: [{ er: p }] },
    [`Unheard ${p}`.slice(0, 60)]: { [p]: p },
  };
}

/** Everything an agent can say, with this text in every field of it. */
export function hostileLines(p: string, nth: number): string[] {
  const lines = Object.entries(calls(p)).flatMap(([name, input], at) => {
    const id = `toolu_${nth}_${at}`;
    const lane = at % 7 === 6 ? `toolu_${nth}_${at - 1}` : null;
    const content = at % 2 === 0 ? p : [{ type: "text", text: p }];
    const result = { type: "tool_result", tool_use_id: id, is_error: at % 5 === 4, content };
    return [
      assistant(`msg_${id}`, [{ type: "tool_use", id, name, input }], lane),
      say({
        type: "user",
        parent_tool_use_id: lane,
        message: { role: "user", content: [result] },
        tool_use_result: {
          backgroundTaskId: p,
          stdout: p,
          stderr: p,
          filePath: p,
          content: p,
          url: p,
          plan: p,
        },
      }),
    ];
  });
  const spoken = [
    { type: "thinking", thinking: p, signature: p },
    { type: "text", text: p },
  ];
  return [
    say({ type: "system", subtype: "init", model: p, tools: [p], cwd: p, permissionMode: p }),
    ...lines,
    assistant(`msg_said_${nth}`, spoken, null),
    say({ type: "user", parent_tool_use_id: null, message: { role: "user", content: p } }),
    say({ type: "system", subtype: "hook_response", hook_name: p, stdout: p, stderr: p }),
    say({ type: "system", subtype: "compact_boundary", compact_metadata: { trigger: p } }),
    say({ type: "system", subtype: "local_command_output", content: p }),
    say({ type: "system", subtype: "api_retry", error: p, attempt: 1, max_retries: 2 }),
    say({ type: "system", subtype: p, text: p, [p]: p }),
    say({ type: p, text: p }),
    say({
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      result: p,
      errors: [p],
      total_cost_usd: 0,
      duration_ms: 1,
      num_turns: 1,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  ];
}

/** What waits for a person, of every kind, with this text in every field. */
export function hostileAsks(p: string, nth: number): string[] {
  const rule = { toolName: "Bash", ruleContent: p };
  const suggestions = [
    { type: "addRules", behavior: "allow", destination: "session", rules: [rule] },
  ];
  const question = {
    question: p,
    header: p,
    multiSelect: false,
    options: [{ label: p, description: p }],
  };
  const schema = {
    type: "object",
    properties: { a: { type: "string", title: p, description: p } },
  };
  const usual = { title: p, reason: p, suggestions };
  return [
    formatLogMarker("ask_opened", {
      ...usual,
      requestId: `a${nth}`,
      kind: "permission",
      tool: "Bash",
      input: { command: p, description: p },
    }),
    formatLogMarker("ask_opened", {
      ...usual,
      requestId: `b${nth}`,
      kind: "permission",
      tool: p,
      input: { [p]: p },
    }),
    formatLogMarker("ask_opened", {
      ...usual,
      requestId: `c${nth}`,
      kind: "question",
      tool: "AskUserQuestion",
      input: { questions: [question] },
    }),
    formatLogMarker("ask_opened", {
      ...usual,
      requestId: `d${nth}`,
      kind: "plan",
      tool: "ExitPlanMode",
      input: { plan: p },
    }),
    formatLogMarker("ask_opened", {
      ...usual,
      requestId: `e${nth}`,
      kind: "elicitation",
      input: { message: p, requested_schema: schema },
    }),
    formatLogMarker("ask_opened", {
      ...usual,
      requestId: `f${nth}`,
      kind: "dialog",
      input: { message: p },
    }),
    formatLogMarker("remark", { level: "warning", text: p }),
  ];
}

/** What an agent and its runner answer when they are asked, with this text in every field. */
export function hostileAnswer(p: string, order: Order): unknown {
  if (order.kind === "read-output") return { text: p, bytes: p.length };
  if (order.kind !== "request") return undefined;
  if (order.subtype === "mcp_status") {
    return { mcpServers: [{ name: p, status: p, scope: p, error: p, tools: [{ name: p }] }] };
  }
  const categories = [{ name: p, tokens: 10, kind: p }];
  return { totalTokens: 10, maxTokens: 100, model: p, categories };
}
