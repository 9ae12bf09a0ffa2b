import { expect, test } from "bun:test";
import type { AgentRequest } from "@signalbox/protocol/control";
import { AllowedCalls } from "../../src/control/allowed-calls.ts";

const request = (fields: object = {}): AgentRequest<"can_use_tool"> => ({
  subtype: "can_use_tool",
  tool_name: "Bash",
  input: { command: "make" },
  tool_use_id: "call",
  decision_reason: "It is slow.",
  decision_reason_type: "hook",
  ...fields,
});

test("a call that a person allowed is not asked about again for the same reason, once, and for no other reason", () => {
  const allowed = () => {
    const calls = new AllowedCalls();
    calls.add({ id: "call", input: { command: "make" }, reasons: ["It is slow."] });
    return calls;
  };
  const calls = allowed();
  expect(calls.take(request())).toEqual({ behavior: "allow" });
  expect(calls.take(request())).toBeUndefined();
  for (const other of [
    { tool_use_id: "another" },
    { input: { command: "make clean" } },
    { decision_reason: "It deletes." },
    { decision_reason_type: "rule" },
    { requires_user_interaction: true },
  ])
    expect(allowed().take(request(other))).toBeUndefined();
});
