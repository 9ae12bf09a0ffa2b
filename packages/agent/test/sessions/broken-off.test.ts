import { describe, expect, test } from "bun:test";
import type { ContentBlock, StoredMessage } from "../../src/agent.ts";
import { findInterruptedTurn } from "../../src/sessions/interrupted-turn.ts";

const user = (content: string | { type: string }[]): StoredMessage => ({
  type: "user",
  message: { role: "user", content },
});
const answer = (id: string, block: { type: string; [field: string]: unknown }): StoredMessage => ({
  type: "assistant",
  message: { role: "assistant", id, content: [block] },
});
const says = (text: string) => answer(`msg_${text}`, { type: "text", text });
const calls = (id: string) => answer("msg_1", { type: "tool_use", id, name: "Bash", input: {} });
const result = (id: string) => user([{ type: "tool_result", tool_use_id: id } as { type: string }]);

/** Lists what is added: the calls that get a result, and `none` for the missing answer. */
const lacking = (...conversation: StoredMessage[]): unknown[] =>
  findInterruptedTurn(conversation).map(({ message }) => {
    const [block] = (message?.content ?? []) as readonly ContentBlock[];
    return block?.["tool_use_id"] ?? block?.["text"];
  });
const NONE = "No response requested.";

describe("[AG33] a session that ended in the middle of a turn", () => {
  test("calls without a result get one that says so, whichever results came back", () => {
    expect(lacking(user("go"), calls("a"), calls("b"))).toEqual(["a", "b", NONE]);
    expect(lacking(user("go"), calls("a"), result("a"), calls("b"))).toEqual(["b", NONE]);
    expect(lacking(user("go"), calls("a"), calls("b"), result("b"))).toEqual(["a", NONE]);
  });

  test("a prompt and results without an answer get one", () => {
    expect(lacking(says("hello"), user("go"))).toEqual([NONE]);
    expect(lacking(user("go"), calls("a"), result("a"))).toEqual([NONE]);
    expect(lacking(user("go"), calls("a"), user("[Request interrupted by user]"))).toEqual([NONE]);
  });

  test("a conversation that ended normally, or with a local command, is complete", () => {
    expect(lacking()).toEqual([]);
    expect(lacking(user("go"), calls("a"), result("a"), says("done"))).toEqual([]);
    const told = user("<local-command-stdout>$0.10</local-command-stdout>");
    expect(lacking(user("go"), says("done"), told)).toEqual([]);
  });
});
