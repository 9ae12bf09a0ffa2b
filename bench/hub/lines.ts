/** Lines as Claude Code prints them, made as fast as they are read. */
const session_id = "5f1c3f0e-0000-4000-8000-000000000000";
const model = "claude-opus-5-5";
const usage = { input_tokens: 900, output_tokens: 40, cache_read_input_tokens: 12_000 };
let made = 0;

function say(message: object): string {
  const uuid = `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;
  return JSON.stringify({ ...message, session_id, uuid });
}
/** With its keys in the order in which Claude Code writes them. */
function stream(event: object): string {
  const uuid = `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;
  const api_message_id = "msg_00000000000000000000";
  const facts = { session_id, parent_tool_use_id: null, uuid, api_message_id };
  return JSON.stringify({ type: "stream_event", event, ...facts });
}

export function init(): string {
  return say({ type: "system", subtype: "init", model, tools: [], permissionMode: "default" });
}
export function messageStart(id: string): string[] {
  const message = { id, role: "assistant", model, usage };
  const content_block = { type: "text", text: "" };
  return [
    stream({ type: "message_start", message }),
    stream({ type: "content_block_start", index: 0, content_block }),
  ];
}
export function delta(text: string): string {
  return stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
}
export function messageEnd(id: string, text: string): string[] {
  const content = [{ type: "text", text }];
  return [
    say({
      type: "assistant",
      parent_tool_use_id: null,
      message: { id, role: "assistant", model, content, usage },
    }),
    stream({ type: "content_block_stop", index: 0 }),
    stream({ type: "message_stop" }),
  ];
}
/** A whole message that was not streamed. */
export function message(id: string, text: string): string {
  return messageEnd(id, text)[0] ?? "";
}
/** A message that calls a tool, in a piece. */
export function toolCall(id: string, name: string, input: object): string {
  const content = [{ type: "tool_use", id: `toolu_${id}`, name, input }];
  const message = { id: `msg_${id}`, role: "assistant", model, content, usage };
  return say({ type: "assistant", parent_tool_use_id: null, message });
}
export function toolResult(id: string, text: string): string {
  const content = [{ type: "tool_result", tool_use_id: `toolu_${id}`, content: text }];
  return say({ type: "user", parent_tool_use_id: null, message: { role: "user", content } });
}
export function result(): string {
  const facts = { subtype: "success", is_error: false, result: "", total_cost_usd: 0.01 };
  return say({ type: "result", ...facts, duration_ms: 1000, num_turns: 1, usage });
}

/** Messages of `words` words each, as they are streamed. */
export function* streamed(lines: number, words = 300): Generator<string> {
  for (let count = 0; count < lines; count += words + 5) {
    const id = `msg_${made}`;
    yield* messageStart(id);
    let text = "";
    for (let word = 0; word < words; word++) {
      text += `word${word} `;
      yield delta(`word${word} `);
    }
    yield* messageEnd(id, text);
  }
}

/** In groups, as a runner sends them. */
export function* inGroups<T>(all: Iterable<T>, size: number): Generator<T[]> {
  let group: T[] = [];
  for (const each of all) {
    group.push(each);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
