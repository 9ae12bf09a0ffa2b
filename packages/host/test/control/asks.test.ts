import { describe, expect, test } from "bun:test";
import type { Ask, Decision, HostOptions } from "@signalbox/host";
import { hostFake } from "@signalbox/testing/fake-agent";

/** What an agent hears when it asks these, one after the other. */
async function answersTo(
  requests: object[],
  options: HostOptions,
): Promise<Record<string, unknown>[]> {
  const environment = { ASKS: JSON.stringify(requests) };
  await using host = await hostFake("asks", options, { environment });
  await host.prompt({ text: "go" });
  const heard = new Map<string, Record<string, unknown>>();
  for await (const batch of host.lines) {
    for (const line of batch) {
      if (line.kind !== "known" || line.message.type !== "status") continue;
      const response = JSON.parse(line.message.text) as Record<string, unknown>;
      heard.set(String(response["request_id"]), response);
    }
    if (heard.size === requests.length) break;
  }
  return requests.map((_, i) => heard.get(`q${i}`) ?? {});
}

const tool = (tool_name: string, more: object = {}) => ({
  subtype: "can_use_tool",
  tool_name,
  input: { x: 1 },
  ...more,
});

describe("asks", () => {
  test.each([
    ["autonomous", ["allow", "deny", "deny", "deny", "deny"]],
    ["plan", ["deny", "deny", "deny", "deny", "deny"]],
  ] as const)(
    "under %s every request that requires a person goes to a person, also of unknown tools and when a hook asks for it",
    async (policy, behaviors) => {
      const asked: string[] = [];
      const onAsk = (ask: Ask): Decision => {
        asked.push("tool" in ask ? ask.tool : ask.kind);
        return { behavior: "deny", message: "A person said no." };
      };
      const requests = [
        tool("Bash"),
        tool("ToolOfTheFuture", { requires_user_interaction: true }),
        tool("AskUserQuestion"),
        tool("ExitPlanMode"),
        tool("Write", { decision_reason_type: "hook" }),
      ];
      const answers = await answersTo(requests, { policy, onAsk });
      const toPersons = ["ToolOfTheFuture", "AskUserQuestion", "ExitPlanMode", "Write"];
      expect(asked).toEqual(policy === "plan" ? ["Bash", ...toPersons] : toPersons);
      expect(answers.map(({ response }) => (response as { behavior: string }).behavior)).toEqual([
        ...behaviors,
      ]);
    },
  );

  test("a request that is too long to read is asked of nobody, and refused with the reason", async () => {
    const asked: Ask[] = [];
    const onAsk = (ask: Ask): Decision => {
      asked.push(ask);
      return { behavior: "allow" };
    };
    const requests = [tool("Write", { fill: 9 * 1024 * 1024 }), tool("Bash")];
    const [long, short] = await answersTo(requests, { onAsk });
    expect(long).toMatchObject({ subtype: "error" });
    expect(long?.["error"]).toContain("too long to be read");
    expect(short).toMatchObject({ response: { behavior: "allow" } });
    expect(asked).toHaveLength(1);
  });

  test("an elicitation is accepted with its content, declined, or cancelled", async () => {
    const decisions: Decision[] = [
      { behavior: "accept", content: { name: "Ada" } },
      { behavior: "deny", message: "no" },
      { behavior: "deny", message: "no", stop: true },
    ];
    const request = {
      subtype: "elicitation",
      mcp_server_name: "s",
      message: "Who?",
      requested_schema: {},
    };
    const onAsk = (ask: Ask): Decision =>
      decisions[Number(ask.requestId.slice(1))] ?? { behavior: "deny", message: "no" };
    const answers = await answersTo([request, request, request], { onAsk });
    expect(answers.map(({ response }) => response)).toEqual([
      { action: "accept", content: { name: "Ada" } },
      { action: "decline" },
      { action: "cancel" },
    ]);
  });

  test("a dialog is completed with its result, or cancelled", async () => {
    const request = { subtype: "request_user_dialog", dialog_kind: "pick", payload: { a: 1 } };
    const onAsk = (ask: Ask): Decision =>
      ask.requestId === "q0"
        ? { behavior: "result", result: { choice: 2 } }
        : { behavior: "deny", message: "no" };
    const answers = await answersTo([request, request], { onAsk });
    expect(answers.map(({ response }) => response)).toEqual([
      { behavior: "completed", result: { choice: 2 } },
      { behavior: "cancelled" },
    ]);
  });

  test("if nobody can be asked, tools are denied; unknown requests are refused by name", async () => {
    const [denied, unknown, misshapen] = await answersTo(
      [tool("Bash"), { subtype: "sing" }, { subtype: "can_use_tool", tool_name: 7 }],
      {},
    );
    expect(denied?.["response"]).toMatchObject({ behavior: "deny" });
    expect(unknown).toMatchObject({ subtype: "error", error_code: "unsupported_request" });
    expect(misshapen).toMatchObject({
      subtype: "error",
      error: expect.stringContaining("can_use_tool"),
    });
  });
});
