/** Lines as Claude Code prints them, with no more than the fields that matter. */
const conversation = "5a77b59a-138c-4d89-900d-0cae66ac03f6";
const common = { session_id: conversation, parent_tool_use_id: null };

function line(body: Record<string, unknown>): string {
  return JSON.stringify({ ...common, uuid: crypto.randomUUID(), ...body });
}
function streamed(event: Record<string, unknown>): string {
  return line({ type: "stream_event", event });
}

export const init = (id = conversation) =>
  line({
    type: "system",
    subtype: "init",
    session_id: id,
    cwd: "/",
    tools: [],
    mcp_servers: [],
    model: "m",
    permissionMode: "default",
    slash_commands: [],
    apiKeySource: "none",
    output_style: "default",
  });
export const replay = (uuid: string, content: string) =>
  line({ type: "user", message: { role: "user", content }, uuid, isReplay: true });
/** The beginning of a message that is streamed. */
export const begin = (id: string) => [
  streamed({
    type: "message_start",
    message: { id, type: "message", role: "assistant", model: "m", content: [], usage: {} },
  }),
  streamed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
];
export const delta = (text: string) =>
  streamed({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
export const said = (id: string, text: string) =>
  line({
    type: "assistant",
    message: {
      id,
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text }],
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  });
export const result = () =>
  line({
    type: "result",
    subtype: "success",
    is_error: false,
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    result: "",
    stop_reason: "end_turn",
    total_cost_usd: 0,
    usage: { input_tokens: 1, output_tokens: 1 },
    modelUsage: {},
    permission_denials: [],
  });
