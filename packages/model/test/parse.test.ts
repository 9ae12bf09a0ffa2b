import { ModelError, parsePrompt, parseScript, type ScriptStep } from "@signalbox/model";
import { describe, expect, test } from "bun:test";

function messages(source: string) {
  return parseScript(source).scenes[0]?.messages ?? [];
}
function steps(source: string): ScriptStep[] {
  return messages(source).flatMap((message) => message.steps);
}
function mistake(source: string): string {
  try {
    parseScript(source);
  } catch (error) {
    if (ModelError.is(error, "SCRIPT_INVALID")) return error.message;
  }
  return "";
}
const failing = (times: number, status: number, type: string, message: string) => ({
  do: "fail",
  times,
  failure: { kind: "error", error: { status, type, message } },
});

describe("directives", () => {
  test("say and think take the rest of the line, or the lines up to a word", () => {
    expect(steps("say  Hello  there ")).toEqual([{ do: "say", text: "Hello  there" }]);
    expect(steps("think <<END\n  one\n\n# two\nEND\nsay three")).toEqual([
      { do: "think", text: "  one\n\n# two" },
      { do: "say", text: "three" },
    ]);
  });
  test("tool takes a name and a JSON object, on the line, below it or none at all", () => {
    const expected = [{ do: "tool", name: "Bash", input: { command: "ls" } }];
    expect(steps('tool Bash {"command":"ls"}')).toEqual(expected as ScriptStep[]);
    expect(steps('tool Bash <<END\n{\n "command":"ls"\n}\nEND')).toEqual(expected as ScriptStep[]);
    expect(steps("tool CronList")).toEqual([{ do: "tool", name: "CronList", input: {} }]);
  });
  test("wait, stall and cut", () => {
    expect(steps("wait 20\nstall\ncut x2")).toEqual([
      { do: "wait", ms: 20 },
      { do: "stall" },
      { do: "fail", times: 2, failure: { kind: "cut" } },
    ]);
  });
  test("error knows its type from the status, and takes type, times and message in that order", () => {
    expect(steps("error 529")).toEqual([
      failing(1, 529, "overloaded_error", "Overloaded error"),
    ] as ScriptStep[]);
    expect(steps("error 418")).toEqual([failing(1, 418, "api_error", "Api error")] as ScriptStep[]);
    expect(steps("error 400 invalid_request_error x3 prompt is too long")).toEqual([
      failing(3, 400, "invalid_request_error", "prompt is too long"),
    ] as ScriptStep[]);
    expect(steps("error 500 x2 went wrong")).toEqual([
      failing(2, 500, "api_error", "went wrong"),
    ] as ScriptStep[]);
  });
  test("overload and rate-limit are short for the errors that Claude Code tries again", () => {
    expect(steps("overload x2")).toEqual([
      failing(2, 529, "overloaded_error", "Overloaded"),
    ] as ScriptStep[]);
    expect(steps("rate-limit 30 x2")).toMatchObject([
      { times: 2, failure: { error: { status: 429, retryAfterSeconds: 30 } } },
    ]);
    expect(steps("rate-limit x4")).toMatchObject([
      { times: 4, failure: { error: { retryAfterSeconds: 1 } } },
    ]);
  });
  test("flood takes a number of words and perhaps a rate, long a number of bytes", () => {
    expect(steps("flood 10\nflood 10 5\nlong 64")).toEqual([
      { do: "flood", words: 10 },
      { do: "flood", words: 10, perSecond: 5 },
      { do: "long", bytes: 64 },
    ]);
  });
  test("usage and stop belong to the message they stand in", () => {
    expect(messages("usage input=5 cache_read=7\nsay a\nstop max_tokens")).toEqual([
      {
        steps: [{ do: "say", text: "a" }],
        usage: { input: 5, cacheRead: 7 },
        stopReason: "max_tokens",
      },
    ]);
  });
  test("comments, blank lines, indentation and CRLF do not matter", () => {
    expect(steps("# a\r\n\r\n   say b\r\n")).toEqual([{ do: "say", text: "b" }]);
  });
});

describe("messages", () => {
  test("a message ends after its run of tools", () => {
    const words = messages("say a\ntool A\ntool B\nsay b\ntool C\nwait 1\nsay c").map((message) =>
      message.steps.map((step) => (step.do === "tool" ? step.name : step.do)),
    );
    expect(words).toEqual([
      ["say", "A", "B"],
      ["say", "C"],
      ["wait", "say"],
    ]);
  });
  test("next ends a message, between tools as well", () => {
    expect(messages("say a\nnext\nsay b").length).toBe(2);
    expect(messages("tool A\nnext\ntool B").length).toBe(2);
  });
  test("counts and a stop reason may follow the tools they belong to", () => {
    const [first, second] = messages("tool A\nusage output=3\nstop refusal\nsay b");
    expect(first).toMatchObject({ usage: { output: 3 }, stopReason: "refusal" });
    expect(second).toEqual({ steps: [{ do: "say", text: "b" }], usage: {} });
  });
});

describe("scenes", () => {
  test("lines before the first == belong to every prompt", () => {
    const { scenes } = parseScript("say a\n== Weather today\nsay b\n==*\nsay c");
    expect(scenes.map(({ match }) => match)).toEqual(["*", "Weather today", "*"]);
  });
  test("an empty script has no scene", () => {
    expect(parseScript("# nothing")).toEqual({ scenes: [] });
  });
});

describe("prompts", () => {
  test("only lines that begin with :: are directives", () => {
    expect(parsePrompt("Please\n::say a\nsay no\n ::say neither\n::# nor this\nthanks")).toEqual({
      match: "*",
      messages: [{ steps: [{ do: "say", text: "a" }], usage: {} }],
    });
  });
  test("the lines of a longer text carry no colons", () => {
    const scene = parsePrompt("::say <<END\none\n::two\nEND\n::say three");
    expect(scene?.messages[0]?.steps).toEqual([
      { do: "say", text: "one\n::two" },
      { do: "say", text: "three" },
    ]);
  });
  test("a prompt without directives has no scene", () => {
    expect(parsePrompt("say hello")).toBeUndefined();
  });
});

describe("a mistake names its line, what stands there and what is allowed", () => {
  const mistakes: [source: string, ...parts: string[]][] = [
    [
      "say a\n\nshout b",
      "line 3",
      "3 | shout b",
      'unknown directive "shout"',
      "say TEXT",
      "stop REASON",
    ],
    ["say", "say needs a text", "allowed: say TEXT"],
    ["say a <<END\nb\nEND", "not both"],
    ["say <<END\nb", "line 1", "no end", "END alone"],
    ["tool", "the name of a tool"],
    ['tool {"a":1}', "the name of a tool"],
    ["tool Bash {command}", "the input of Bash is not JSON", "tool NAME {json}"],
    ["tool Bash [1]", "must be a JSON object"],
    ['tool Bash {"a":1} <<END\n{}\nEND', "not both"],
    ["wait soon", "milliseconds", "wait MS"],
    ["wait -5", "milliseconds"],
    ["stall now", "stand", "allowed: stall"],
    ["next please", "stand", "allowed: next"],
    ["cut twice", "not a number of times", "cut [xTIMES]"],
    ["error", "HTTP status"],
    ["error 200", "between 400 and 599"],
    ["overload 2", "not a number of times", "x2"],
    ["overload x0", "not a number of times"],
    ["rate-limit soon", "not a number of times", "rate-limit [SECONDS] [xTIMES]"],
    ["flood", "whole numbers", "flood WORDS [PER_SECOND]"],
    ["flood 1 2 3", "whole numbers"],
    ["flood 1.5", "whole numbers"],
    ["long", "bytes"],
    ["long 99999999999", "at most"],
    ["usage", "at least one count"],
    ["usage tokens=5", '"tokens" is not a kind of token', "cache_read=N"],
    ["usage input=many", "input="],
    ["stop", "needs a reason"],
    ["stop Max Tokens", "needs a reason"],
    ["==", "== TEXT"],
    ["constructor x", "unknown directive"],
  ];
  test.each(mistakes)("%j", (source, ...parts) => {
    const message = mistake(source);
    for (const part of parts) expect(message).toContain(part);
    expect(message).toMatch(/^line \d+: /);
  });
  test("in a prompt the line is counted from its top", () => {
    expect(() => parsePrompt("Hello\n::shout")).toThrow("line 2");
  });
});
