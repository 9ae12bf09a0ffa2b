interface Row {
  from: "agent" | "host";
  text: string;
}

const model = "claude-opus-5-5";
const usage = { input_tokens: 900, output_tokens: 40, cache_read_input_tokens: 12_000 };

/** The messages of an agent, each with a uuid of its own. */
function voice() {
  const session_id = "5f1c3f0e-0000-4000-8000-000000000000";
  let made = 0;
  // As random as a real one looks, and the same in every run.
  const uuid = () => {
    const last = (BigInt(++made) * 0x9e3779b97f4a7c15n) & 0xffffffffffffn;
    return `5f1c3f0e-0000-4000-8000-${last.toString(16).padStart(12, "0")}`;
  };
  const say = (message: object): Row => ({
    from: "agent",
    text: JSON.stringify({ ...message, session_id, uuid: uuid() }),
  });
  return {
    said: () => made,
    say,
    prompt: (content: string): Row => ({
      from: "host",
      text: JSON.stringify({ type: "user", uuid: uuid(), message: { role: "user", content } }),
    }),
    init: () =>
      say({ type: "system", subtype: "init", model, tools: ["Bash"], permissionMode: "default" }),
    /** With its keys in the order in which Claude Code writes them. */
    stream: (event: object) => {
      const facts = { session_id, parent_tool_use_id: null, uuid: uuid(), api_message_id: "msg_1" };
      const text = JSON.stringify({ type: "stream_event", event, ...facts });
      return { from: "agent" as const, text };
    },
    block: (id: string, block: object) =>
      say({
        type: "assistant",
        parent_tool_use_id: null,
        message: { id, role: "assistant", model, content: [block], usage },
      }),
    outcome: (call: string, content: string, structured: object) =>
      say({
        type: "user",
        parent_tool_use_id: null,
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: call, content }],
        },
        tool_use_result: structured,
      }),
    result: (text: string, turn: number) =>
      say({
        type: "result",
        subtype: "success",
        is_error: false,
        result: text,
        total_cost_usd: turn / 100,
        duration_ms: 1000,
        num_turns: 2,
        usage,
        modelUsage: { [model]: { contextWindow: 200_000 } },
      }),
  };
}

/** A long conversation as Claude Code streams it: words, a tool call, its result, again. */
export function* streamed(lines: number): Generator<Row> {
  const { said, prompt, init, stream, block, outcome, result } = voice();
  for (let turn = 0; said() < lines; turn++) {
    const id = `msg_${turn}`;
    const call = `toolu_${turn}`;
    yield prompt(`prompt ${turn}`);
    yield init();
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
    yield block(id, { type: "text", text });
    yield stream({ type: "content_block_stop", index: 0 });
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
    yield block(id, {
      type: "tool_use",
      id: call,
      name: "Bash",
      input: { command: "ls", description: "look" },
    });
    yield stream({ type: "content_block_stop", index: 1 });
    yield stream({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage });
    yield stream({ type: "message_stop" });
    yield outcome(call, "a.txt", { stdout: "a.txt", stderr: "", interrupted: false });
    yield result(text, turn);
  }
}

/** The same without streaming, as a relay or an older agent prints it: whole messages, many calls. */
export function* whole(lines: number): Generator<Row> {
  const { said, prompt, init, block, outcome, result } = voice();
  const words = "I look at the next file and change what needs to be changed. ".repeat(4);
  const code = Array.from({ length: 20 }, (_, line) => `const line${line} = ${line};`).join("\n");
  for (let turn = 0; said() < lines; turn++) {
    yield prompt(`prompt ${turn}`);
    yield init();
    for (let step = 0; step < 20; step++) {
      const id = `msg_${turn}_${step}`;
      const call = `toolu_${turn}_${step}`;
      const file_path = `/home/dev/demo/file${step}.ts`;
      yield block(id, { type: "text", text: words });
      if (step % 2 === 0) {
        const input = { command: `cat ${file_path}`, description: "Read it" };
        yield block(id, { type: "tool_use", id: call, name: "Bash", input });
        yield outcome(call, code, { stdout: code, stderr: "", interrupted: false });
      } else {
        yield block(id, { type: "tool_use", id: call, name: "Read", input: { file_path } });
        const file = { filePath: file_path, content: code, numLines: 20, startLine: 1 };
        yield outcome(call, code, { type: "text", file: { ...file, totalLines: 20 } });
      }
    }
    yield result(words, turn);
  }
}
