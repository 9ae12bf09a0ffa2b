/** A long conversation as Claude Code streams it: a thought, words, a tool call, its result, again. */
export function* conversation(lines: number): Generator<{ from: "agent" | "host"; text: string }> {
  const session_id = "5f1c3f0e-0000-4000-8000-000000000000";
  let n = 0;
  const uuidsMade = () => n;
  const uuid = () => `00000000-0000-4000-8000-${String(++n).padStart(12, "0")}`;
  const say = (message: object) => ({
    from: "agent" as const,
    text: JSON.stringify({ ...message, session_id, uuid: uuid() }),
  });
  const stream = (event: object) => say({ type: "stream_event", event, parent_tool_use_id: null });
  const usage = { input_tokens: 900, output_tokens: 40, cache_read_input_tokens: 12_000 };
  const model = "claude-opus-5-5";
  for (let turn = 0; uuidsMade() < lines; turn++) {
    const id = `msg_${turn}`;
    const whole = (block: object) =>
      say({
        type: "assistant",
        parent_tool_use_id: null,
        message: { id, role: "assistant", model, content: [block], usage },
      });
    yield {
      from: "host",
      text: JSON.stringify({
        type: "user",
        uuid: uuid(),
        message: { role: "user", content: `prompt ${turn}` },
      }),
    };
    yield say({
      type: "system",
      subtype: "init",
      model,
      tools: ["Bash"],
      permissionMode: "default",
    });
    yield stream({ type: "message_start", message: { id, role: "assistant", model, usage } });
    yield stream({
      type: "content_block_start",
      index: 0,
      content_block: { type: "text", text: "" },
    });
    let text = "";
    for (let word = 0; word < 300; word++) {
      const part = `word${word} `;
      text += part;
      yield stream({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: part },
      });
    }
    yield whole({ type: "text", text });
    yield stream({ type: "content_block_stop", index: 0 });
    const call = `toolu_${turn}`;
    yield stream({
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: call, name: "Bash" },
    });
    yield stream({
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: '{"command":"ls"}' },
    });
    yield whole({
      type: "tool_use",
      id: call,
      name: "Bash",
      input: { command: "ls", description: "look" },
    });
    yield stream({ type: "content_block_stop", index: 1 });
    yield stream({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage });
    yield stream({ type: "message_stop" });
    yield say({
      type: "user",
      parent_tool_use_id: null,
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: call, content: "a.txt" }],
      },
      tool_use_result: { stdout: "a.txt", stderr: "", interrupted: false },
    });
    yield say({
      type: "result",
      subtype: "success",
      is_error: false,
      result: text,
      total_cost_usd: turn / 100,
      duration_ms: 1000,
      num_turns: 2,
      usage,
      modelUsage: { [model]: { contextWindow: 200_000 } },
    });
  }
}
