import { describe, expect, test } from "bun:test";
import type { AskView, PolicyName } from "@signalbox/api";
import { createInputDraft, applyDraft } from "../../src/asks/edit-input.ts";
import { getAddress, listDetails } from "../../src/asks/elicitation.ts";
import { buildContent, listFormFields } from "../../src/asks/form.ts";
import { planModes, planModeProblem } from "../../src/asks/plan-mode.ts";
import { describeOutcome } from "../../src/asks/outcome.ts";
import {
  buildAnswers,
  selectOption,
  selectOther,
  emptyAnswer,
  parseQuestions,
} from "../../src/asks/questions.ts";
import { visibleAsks } from "../../src/asks/visible-asks.ts";
import { describeSuggestion } from "../../src/asks/suggestion.ts";

describe("editing before allowing", () => {
  test("a command is edited as text, and all else of its input stays", () => {
    const input = { command: "rm -rf /", description: "d" };
    const draft = createInputDraft("Bash", input);
    expect(applyDraft(draft, input)).toEqual({ kind: "same" });
    expect(applyDraft({ command: "ls" }, input)).toEqual({
      kind: "changed",
      input: { command: "ls", description: "d" },
    });
    expect(applyDraft({ command: " " }, input).kind).toBe("wrong");
  });

  test("of other inputs each field is edited: texts as they are, all else as JSON, and what is none is not sent", () => {
    const input = { file_path: "/a", content: "one\ntwo\n", limit: 3 };
    const draft = createInputDraft("Write", input);
    expect(draft).toEqual({ file_path: "/a", content: "one\ntwo\n", limit: "3" });
    expect(applyDraft(draft, input)).toEqual({ kind: "same" });
    expect(applyDraft({ ...draft, content: "[1]", limit: "4" }, input)).toEqual({
      kind: "changed",
      input: { file_path: "/a", content: "[1]", limit: 4 },
    });
    expect(applyDraft({ ...draft, limit: "{" }, input).kind).toBe("wrong");
    expect(applyDraft({ ...draft, limit: " " }, input)).toEqual({
      kind: "changed",
      input: { file_path: "/a", content: "one\ntwo\n" },
    });
  });
});

describe("questions", () => {
  const questions = parseQuestions({
    questions: [
      { question: "Colour?", options: [{ label: "Red" }, { label: "Blue" }], multiSelect: false },
      { question: "Sizes?", options: [{ label: "S" }, { label: "L" }], multiSelect: true },
      { broken: true },
    ],
  });
  const [one, many] = questions as [(typeof questions)[0], (typeof questions)[0]];

  test("what is no question is left out", () => expect(questions).toHaveLength(2));

  test("one choice takes the place of another; several may stand where several may", () => {
    const red = selectOption(one, emptyAnswer, "Red");
    expect(selectOption(one, red, "Blue").labels).toEqual(["Blue"]);
    const both = selectOption(many, selectOption(many, emptyAnswer, "S"), "L");
    expect(both.labels).toEqual(["S", "L"]);
    expect(selectOption(many, both, "S").labels).toEqual(["L"]);
  });

  test("words of one's own are an answer once there are some", () => {
    const other = selectOther(one, selectOption(one, emptyAnswer, "Red"), true);
    const sizes = { ...selectOther(many, selectOption(many, emptyAnswer, "S"), true), other: "XS" };
    expect(buildAnswers(questions, [other, sizes])).toBeUndefined();
    expect(buildAnswers(questions, [{ ...other, other: " Green " }, sizes])).toEqual({
      "Colour?": "Green",
      "Sizes?": ["S", "XS"],
    });
  });

  test("nothing is sent while a question has no answer", () => {
    expect(buildAnswers(questions, [selectOption(one, emptyAnswer, "Red")])).toBeUndefined();
  });
});

describe("a plan", () => {
  test("can be approved into every mode that its policy leaves", () => {
    const left = (policy: PolicyName) =>
      planModes.filter((mode) => planModeProblem(mode, policy) === undefined);
    expect(left("plan")).toEqual(["default", "acceptEdits"]);
    expect(left("supervised")).toEqual(["default"]);
  });
});

describe("the agent's suggestions", () => {
  const words = (it: unknown) => Object.values(describeSuggestion(it)).join(" | ");
  test("are spelled out with their reach", () => {
    const rules = [{ toolName: "Bash", ruleContent: "touch x" }, { toolName: "Read" }];
    expect(
      words({ type: "addRules", rules, behavior: "allow", destination: "localSettings" }),
    ).toBe("Always allow Bash(touch x), all Read calls | in this project, only for you");
    expect(words({ type: "setMode", mode: "acceptEdits", destination: "session" })).toBe(
      "Edit files without asking (acceptEdits mode) | in this session",
    );
    expect(
      words({ type: "addDirectories", directories: ["/a"], destination: "userSettings" }),
    ).toBe("Also allow access to /a | in all your projects");
  });
  test("one of a kind that is not known is shown as it is", () => {
    expect(words({ type: "newThing", a: 1 })).toBe('{"type":"newThing","a":1} | ');
  });
});

describe("forms of servers", () => {
  const fields = listFormFields({
    requestedSchema: {
      properties: {
        name: { type: "string", title: "Name" },
        age: { type: "integer" },
        kind: { type: "string", enum: ["a", "b"] },
      },
      required: ["name"],
    },
  });
  test("have the fields that were asked for, and values of their types", () => {
    expect(buildContent(fields, { name: "N", age: "7", kind: "b" })).toEqual({
      name: "N",
      age: 7,
      kind: "b",
    });
    expect(buildContent(fields, { age: "7" })).toBeUndefined();
    expect(buildContent(fields, { name: "N", age: "old" })).toBeUndefined();
  });
  test("say what else holds of a field", () => {
    const [width] = listFormFields({
      requested_schema: { properties: { width: { type: "integer", minimum: 1, format: "px" } } },
    });
    expect(width).toMatchObject({ type: "number", rules: "minimum 1, format px" });
  });
  test("show everything that came along, and what stands elsewhere once", () => {
    const asked = {
      subtype: "elicitation",
      mcp_server_name: "billing",
      message: "Log in",
      url: "https://x.example",
      elicitation_id: "e1",
      description: "It waits.",
      title: null,
      novel: { a: 1 },
      requested_schema: { type: "object" },
    };
    expect(getAddress(asked)).toBe("https://x.example");
    const named = (input: object) => listDetails({ ...input }).map(({ name }) => name);
    expect(named(asked)).toEqual(["elicitation_id", "description", "novel", "requested_schema"]);
    const described = { requested_schema: { properties: { a: { type: "string" } } } };
    expect(named({ ...asked, ...described })).toEqual(["elicitation_id", "description", "novel"]);
  });
  test("without a description take any JSON object", () => {
    const [any] = listFormFields({});
    expect(buildContent(any ? [any] : [], { "": '{"a":1}' })).toEqual({ a: 1 });
    expect(buildContent(any ? [any] : [], { "": "[1]" })).toBeUndefined();
  });
});

describe("what became of an ask", () => {
  const ask = (news: Partial<AskView>) => ({ id: "a", openedAt: 0, ...news }) as AskView;
  test("says who answered, and how", () => {
    const by = { status: "answered", answeredBy: "Desk" } as const;
    expect(describeOutcome(ask({ ...by, decision: { behavior: "allow" } }))).toBe(
      "allowed by Desk",
    );
    expect(describeOutcome(ask({ ...by, decision: { behavior: "allow", input: {} } }))).toBe(
      "allowed with changes by Desk",
    );
    expect(describeOutcome(ask({ ...by, decision: { behavior: "deny", stop: true } }))).toBe(
      "denied and stopped by Desk",
    );
    expect(describeOutcome(ask({ status: "cancelled" }))).toBe("canceled by the agent");
  });
  test("stays in sight for a moment, in its place", () => {
    const open = [ask({ id: "b", openedAt: 2, status: "open" })];
    const closed = [
      ask({ id: "a", openedAt: 1, status: "answered", answeredAt: 1000 }),
      ask({ id: "c", openedAt: 0, status: "cancelled" }),
    ];
    expect(visibleAsks(open, closed, 2000).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(visibleAsks(open, closed, 60_000).map(({ id }) => id)).toEqual(["b"]);
    expect(visibleAsks(open, closed, 60_000, { hoveredSince: 8999 }).map(({ id }) => id)).toEqual([
      "a",
      "b",
    ]);
    expect(visibleAsks(open, closed, 60_000, { hoveredSince: 9000 }).map(({ id }) => id)).toEqual([
      "b",
    ]);
    expect(visibleAsks(open, closed, 90_000, { typingIn: "a" }).map(({ id }) => id)).toEqual([
      "a",
      "b",
    ]);
    expect(visibleAsks(open, closed, 61_000, { hoveredSince: 8999 }).map(({ id }) => id)).toEqual([
      "b",
    ]);
  });
});
