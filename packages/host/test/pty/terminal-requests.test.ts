import { expect, test } from "bun:test";
import { TerminalRequests } from "../../src/drivers/pty/terminal-requests.ts";

const call = (id: string) => ({
  message: { content: [{ type: "tool_use", id, name: "Bash", input: { command: id } }] },
});
const result = (id: string, more: object = {}) => ({
  message: { content: [{ type: "tool_result", tool_use_id: id, content: "", ...more }] },
});

test("[PT8] a call that runs although its request was withdrawn is told of, and no other", async () => {
  const unanswered: string[] = [];
  const requests = new TerminalRequests({
    sendLine: () => {},
    onAnswered: () => {},
    onCount: () => {},
    onUnanswered: (tool) => unanswered.push(tool),
    readTranscript: () => {},
  });
  const ask = async (id: string, end: (hook: AbortController) => void) => {
    const hook = new AbortController();
    requests.onMessage(call(id));
    const asked = requests.askPermission(
      { tool_name: "Bash", tool_input: { command: id } },
      hook.signal,
    );
    await Promise.resolve();
    await Promise.resolve();
    expect(requests.count).toBe(1);
    end(hook);
    await asked;
  };
  await ask("ended by somebody", (hook) => hook.abort());
  await ask("refused", (hook) => hook.abort());
  await ask("typed", (hook) => {
    requests.onTyped({ device: "desk" });
    hook.abort();
  });
  expect(unanswered).toEqual([]);
  requests.onMessage(result("refused", { is_error: true, content: "It was rejected" }));
  requests.onMessage(result("typed"));
  expect(unanswered).toEqual([]);
  requests.onMessage(result("ended by somebody"));
  expect(unanswered).toEqual(["Bash"]);
});
