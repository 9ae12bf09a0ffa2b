import { describe, expect, test } from "bun:test";
import { describeAskOutcome } from "../../src/items/tools/ask-outcome.ts";
import type { DisplayItem } from "../../src/text/body.ts";
import { markup } from "./scene.tsx";

type Ask = Parameters<typeof describeAskOutcome>[0];
const line = (ask: string, news: Partial<Ask>) => {
  const {
    label: word,
    summary: gist,
    message: said,
  } = describeAskOutcome({ ask, title: "", status: "answered", ...news });
  return `${word} ${gist}${said}`;
};

describe("what became of an ask, in a line", () => {
  const rm = { title: "rm -rf build", tool: "Bash" };
  const late = { status: "expired", behavior: "deny", message: "Nobody answered." } as const;
  test("of a call", () => {
    expect(line("permission", { ...rm, behavior: "allow" })).toBe("Allowed Bash rm -rf build");
    expect(line("permission", { ...rm, behavior: "deny", message: "no" })).toBe(
      "Denied Bash rm -rf build: no",
    );
    expect(line("permission", { ...rm, ...late })).toBe(
      "Expired: Bash rm -rf build · Nobody answered.",
    );
    expect(line("permission", { ...rm, status: "cancelled" })).toBe("Canceled: Bash rm -rf build");
  });
  test("of a plan there is always something after the colon", () => {
    expect(line("plan", late)).toBe("Expired: the plan · Nobody answered.");
    expect(line("plan", { status: "cancelled" })).toBe("Canceled: the plan");
    expect(line("plan", { behavior: "deny", message: "shorter" })).toBe(
      "Requested changes to the plan: shorter",
    );
    expect(line("plan", { behavior: "allow" })).toBe("Approved the plan");
  });
  test("of a question its words are told from what was said to it", () => {
    const which = { title: "Which files?", tool: "AskUserQuestion" };
    expect(line("question", { ...which, behavior: "deny", message: "not on a Sunday" })).toBe(
      "Skipped “Which files?”: not on a Sunday",
    );
    expect(line("question", { ...which, behavior: "allow" })).toBe("Answered “Which files?”");
    expect(line("question", { status: "cancelled" })).toBe("Canceled: a question");
    expect(line("elicitation", { title: "Who?", behavior: "decline" })).toBe("Skipped “Who?”");
  });
});

describe("an ask that is closed unfolds", () => {
  const closed = (ask: string, input: unknown) =>
    markup({
      id: "a",
      order: 0,
      turn: 1,
      rev: 1,
      kind: "ask",
      ask,
      title: "t",
      status: "answered",
      behavior: "allow",
      suggestions: [],
      input,
    } as unknown as DisplayItem);
  test("a plan as prose, with whatever came along", () => {
    const shown = closed("plan", { plan: "# The plan\n\n1. Fix **it**.", planFilePath: "/p.md" });
    expect(shown).toContain("<strong>it</strong>");
    expect(shown).toContain("planFilePath");
    expect(shown).not.toContain("\\n");
  });
  test("questions with what was chosen, one text or a list", () => {
    const options = [{ label: "Sources" }, { label: "Tests" }, { label: "Docs" }];
    const questions = [{ question: "Which files?", multiSelect: true, options }];
    for (const answer of [["Sources", "Docs"], "Sources, Docs"]) {
      const shown = closed("question", { questions, answers: { "Which files?": answer } });
      expect(shown.match(/aria-label="selected"/g)).toHaveLength(2);
      expect(shown).not.toContain("multiSelect");
    }
  });
  test("what has another shape as it came", () => {
    expect(closed("question", { questions: [{ novel: 1 }] })).toContain("novel");
    expect(closed("plan", { novel: 1 })).toContain("novel");
  });
});

test("[HB82] an ask names the path that blocked it, with nothing hidden in it", () => {
  const shown = markup({
    id: "a",
    order: 0,
    turn: 1,
    rev: 1,
    kind: "ask",
    ask: "permission",
    title: "t",
    tool: "Bash",
    status: "open",
    input: { command: "touch /etc/x" },
    suggestions: [],
    blockedPath: "/etc/x\u202e",
  } as unknown as DisplayItem);
  expect(shown).toContain("Blocked path:");
  expect(shown).toContain("/etc/x⟨");
  expect(shown).not.toContain("\u202e");
});
