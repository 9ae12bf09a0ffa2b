import type { Difference } from "./differences.ts";

/** A difference that `docs/spec/agent-differences.md` gives a reason for, by the number it has there. */
export interface Allowed {
  readonly id: string;
  readonly path: RegExp;
  /** What Claude Code has there; absent: whatever it is. */
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

export const allowed: readonly Allowed[] = [
  { id: "AD1", path: ofInit(offers) },
  { id: "AD2", path: ofInit(features) },
  { id: "AD3", path: /^\.answered\[\d+:control_response\]\.response\.response\.initialize\b/ },
  {
    id: "AD3",
    path: /^\.answered\[\d+:control_response\]\.response\.response\.(?:commands|agents|plugins)\b/,
  },
  {
    id: "AD4",
    path: /:user(?:\/text)?\]\.message\.content(?:\[0:text\]\.text)?$/,
    real: /^(?:Output token limit hit|Your response above was|This session is being continued)/,
  },
  {
    id: "AD5",
    path: /\.(?:message|content|tool_use_result)$/,
    real: /Claude Code is running in don't ask mode/,
  },
  { id: "AD6", path: /\.text$/, real: /\[Subagent hand-back\]|^Async agent launched/ },
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
  { id: "AD10", path: /\.filePath$/, real: /\/\.claude\/plans\// },
];

export function isAllowed({ path, real }: Difference): boolean {
  const value = typeof real === "string" ? real : (JSON.stringify(real) ?? "");
  return allowed.some((one) => one.path.test(path) && (one.real?.test(value) ?? true));
}
