import type { Difference } from "./differences.ts";

/**
 * A difference for which `docs/spec/agent-differences.md` gives a reason, with its number there.
 */
export interface Allowed {
  readonly id: string;
  readonly path: RegExp;
  /** What Claude Code has in this place; undefined for anything. */
  readonly real?: RegExp;
}

const offers =
  "tools slash_commands terminal_slash_commands agents skills plugins capabilities".split(" ");
const features =
  "analytics_disabled product_feedback_disabled memory_paths messaging_socket_path fast_mode_disabled_reason fast_mode_state per_turn_effort_active ultrathink_available ultrathink_typed_raises view_mode".split(
    " ",
  );
const ofInit = (fields: readonly string[]) =>
  new RegExp(`^\\.(?:said|yielded)\\[\\d+:system/init\\]\\.(?:${fields.join("|")})\\b`);

/** Recognizes Claude Code's advice to the model. What was refused, or happened, is compared. */
const advice = [
  "a legacy encoding such as|has NUL bytes in its first",
  "this call was stopped while running",
  "To replace all occurrences, set",
  "the edit applied cleanly",
  "so its outcome is unknown",
  "continue to use the todo list",
  "not a list\\. To read several|pages per request|pdftoppm is not installed",
  "Use offset and limit parameters|REQUIREMENTS FOR SUMMARIZATION",
  "appears to be a binary",
  "or by a linter",
  "localhost or other hostnames",
  "include the file name in file_path",
  "focus on exploring the codebase|You can now start coding",
  "You MUST include the sources",
  "the hook's rewrite of it was not",
  "names a device or process file",
  "with these answers in mind",
  "provides pagination or filtering|Image left out",
  "verify before assuming it succeeded",
  "File has an image extension",
  "terminated when you give your final response|do not start a second copy",
  "Do not chain shorter sleeps",
  "reserved for explicit user invocation",
  "it may have been deleted or the URI is stale",
];

export const allowed: readonly Allowed[] = [
  { id: "AD1", path: ofInit(offers) },
  {
    id: "AD1",
    path: /\.(?:content|tool_use_result)$/,
    real: /^(?:Error: )?Agent type '[^']+' not found\. Available agents: /,
  },
  { id: "AD2", path: ofInit(features) },
  { id: "AD3", path: /^\.answered\[\d+:control_response\]\.response\.response\.initialize\b/ },
  {
    id: "AD3",
    path: /^\.answered\[\d+:control_response\]\.response\.response\.(?:commands|agents|plugins)\b/,
  },
  { id: "AD3", path: /\[\d+:system\/commands_changed\]\.commands\b/ },
  {
    id: "AD4",
    path: /:user(?:\/text)?\]\.message\.content(?:\[0:text\]\.text)?$/,
    real: /^(?:Output token limit hit|Your response above was|This session is being continued|\[Your previous response had no visible|Skill \/\S+ is already loaded|\(Re-invocation of )/,
  },
  {
    id: "AD5",
    path: /\.(?:message|content|tool_use_result)$/,
    real: /Claude Code is running in don't ask mode/,
  },
  { id: "AD6", path: /\.text$/, real: /\[Subagent hand-back\]|^Async agent launched/ },
  { id: "AD6", path: /\.tool_use_result\.(?:pin|display)$/ },
  {
    id: "AD6",
    path: /\.(?:text|message)$/,
    real: /Resuming agent |Message queued for delivery|No agent named/,
  },
  { id: "AD6", path: /\.(?:text|summary)$/, real: /Send the agent a message \(SendMessage\)/ },
  {
    id: "AD6",
    path: /\.(?:tool_use_result|tool_response)\.(?:harnessSectionHash|canContinueAgent)$/,
  },
  { id: "AD7", path: /\.preserved_messages\.(?:all_)?uuids\[\]$/ },
  {
    id: "AD8",
    path: /\[0:tool_result\]\.content$/,
    real: /This tool's input schema was not in your prompt/,
  },
  {
    id: "AD9",
    path: /\.(?:content|text|tool_use_result|tool_response|error|message)$/,
    real: new RegExp(advice.join("|")),
  },
  { id: "AD10", path: /\.filePath$/, real: /\/\.claude\/plans\// },
];

export function isAllowed({ path, real }: Difference): boolean {
  const value = typeof real === "string" ? real : (JSON.stringify(real) ?? "");
  return allowed.some((one) => one.path.test(path) && (one.real?.test(value) ?? true));
}
