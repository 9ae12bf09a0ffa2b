import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDisk, checkDataFolder } from "../src/doctor/folder.ts";
import { parseOptions } from "../src/options.ts";
import { parseAnswer, describeSuggestion } from "../src/run/ask-on-terminal.ts";
import {
  readFileChange,
  formatFileChange,
  formatToolResult,
  formatToolInput,
  summarizeToolInput,
} from "../src/run/describe-tool.ts";
import { diffWithContext } from "../src/run/diff.ts";
import { formatCall, formatResult } from "../src/run/format-tool-call.ts";
import { wrapLines, truncate, excerpt, hangIndent } from "../src/terminal/layout.ts";
import { createStyle } from "../src/terminal/style.ts";

const plain = { style: createStyle({}, {}), columns: Infinity };
const narrow = { ...plain, columns: 30 };

describe("chosen", () => {
  const labels = ["Blue", "Red", "Green"];
  test("takes a number for a label", () => {
    expect(parseAnswer("2", labels, false)).toBe("Red");
  });
  test("takes several numbers, with commas or spaces, where several may be chosen", () => {
    expect(parseAnswer("1, 3", labels, true)).toEqual(["Blue", "Green"]);
    expect(parseAnswer("3 1", labels, true)).toEqual(["Green", "Blue"]);
  });
  test("takes anything else for words of one's own", () => {
    for (const words of ["violet", "0", "4", "1 and 2", "2,"]) {
      expect(parseAnswer(words, labels, false)).toBe(words);
    }
    expect(parseAnswer("1, 9", labels, true)).toBe("1, 9");
  });
});

describe("what a command is told wrong", () => {
  const failure = (args: string[]) => {
    try {
      parseOptions({ args, options: { tail: { type: "string" } } });
      return "";
    } catch (error) {
      return String(error);
    }
  };

  test("is said in a sentence about the command line, not about its parser", () => {
    expect(failure(["--tail", "-3"])).toBe(
      "UsageError: --tail needs a value. Write --tail=VALUE if the value starts with a dash.",
    );
    expect(failure(["extra"])).toBe("UsageError: Unexpected argument 'extra'.");
    expect(failure(["--nope"])).toBe("UsageError: Unknown option '--nope'.");
  });
});

describe("doctor looks at a data folder", () => {
  test("that cannot be made or reached, and says why", () => {
    const place = mkdtempSync(join(tmpdir(), "signalbox-doctor-"));
    try {
      const file = join(place, "file");
      writeFileSync(file, "");
      const inside = join(file, "inside");
      expect(checkDataFolder(inside)).toMatchObject([
        { state: "problem", detail: `${inside} cannot be created: ${file} is not a folder` },
      ]);
      expect(checkDisk(inside).detail).toContain("on the disk of the data folder");
      expect(checkDataFolder(file)).toMatchObject([{ detail: `${file} is not a folder` }]);
      expect(checkDataFolder(join(place, "new"))).toMatchObject([{ state: "ok" }]);
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});

describe("describeSuggestion", () => {
  test("says which calls would be allowed, where, and for whom", () => {
    const rules = [{ toolName: "Bash", ruleContent: "git push:*" }, { toolName: "Edit" }];
    const suggestion = { type: "addRules", rules, behavior: "allow", destination: "localSettings" };
    expect(describeSuggestion(suggestion)).toBe(
      "always allow Bash(git push:*), Edit (in this folder, for you)",
    );
    expect(describeSuggestion({ ...suggestion, destination: "session" })).toEndWith(
      "(for this session)",
    );
    expect(describeSuggestion({ ...suggestion, destination: "elsewhere" })).toEndWith(
      "(saved in elsewhere)",
    );
  });
  test("says which mode and which folders", () => {
    expect(
      describeSuggestion({ type: "setMode", mode: "acceptEdits", destination: "session" }),
    ).toBe("switch to the mode acceptEdits (for this session)");
    expect(describeSuggestion({ type: "addDirectories", directories: ["/a", "/b"] })).toBe(
      "always allow work in /a, /b",
    );
  });
  test("gives what it does not know in full", () => {
    expect(describeSuggestion({ type: "new", power: 9 })).toBe('{"type":"new","power":9}');
  });
});

describe("toolInput", () => {
  test("gives every field: text as text, the rest as JSON", () => {
    expect(formatToolInput({ command: "ls", timeout: 5, deep: { a: [1] } }, plain)).toEqual([
      "command: ls",
      "timeout: 5",
      "deep:",
      "  {",
      '    "a": [',
      "      1",
      "    ]",
      "  }",
    ]);
  });
  test("sets lines of a text in, so that they cannot pass for a field", () => {
    expect(formatToolInput({ command: "ls\ndescription: harmless" }, plain)).toEqual([
      "command:",
      "  ls",
      "  description: harmless",
    ]);
  });
  test("leaves nothing out where there is little room", () => {
    const command = "echo one two three four five six seven eight nine ten";
    const lines = formatToolInput({ command }, narrow);
    expect(lines.every((line) => line.length <= 30)).toBe(true);
    expect(lines.map((line) => line.trim()).join(" ")).toBe(`command: ${command}`);
  });
  test("shows every hidden character of its names and values, also those that prose may hold", () => {
    expect(formatToolInput({ "a\x1b": "b\u202e" }, plain)).toEqual(["a␛: b<U+202E>"]);
    expect(formatToolInput({ command: "rm -rf\u00a0~" }, plain)).toEqual([
      "command: rm -rf<U+00A0>~",
    ]);
    const edit = { file_path: "/a", old_string: "x", new_string: "я\u200d" };
    expect(formatToolInput(edit, plain)).toContain("+ я<U+200D>");
  });
  test("shows an edit as what it changes", () => {
    const input = {
      file_path: "/a",
      old_string: "one\ntwo",
      new_string: "one\n2",
      replace_all: true,
    };
    expect(formatToolInput(input, plain)).toEqual([
      "file_path: /a",
      "replace_all: true",
      "  one",
      "- two",
      "+ 2",
    ]);
  });
});

describe("a change", () => {
  const text = (lines: { sign: string; text: string }[]) => lines.map((l) => l.sign + l.text);
  test("keeps a little of what stays, and leaves out what is far from it", () => {
    const before = "abcdefghij".split("").join("\n");
    expect(text(diffWithContext(before, before.replace("e", "E\nEE")))).toEqual([
      "…",
      " c",
      " d",
      "-e",
      "+E",
      "+EE",
      " f",
      " g",
      "…",
    ]);
  });
  test("finds the lines that both have between those that differ", () => {
    expect(text(diffWithContext("a\nsame\nb", "x\nsame\ny"))).toEqual([
      "-a",
      "+x",
      " same",
      "-b",
      "+y",
    ]);
    expect(text(diffWithContext("gone", ""))).toEqual(["-gone", "+"]);
  });
  test("never loses a changed line, however long the texts", () => {
    const [before, after] = ["a", "b"].map((x) => Array.from({ length: 1500 }, (_, i) => x + i));
    const lines = diffWithContext(before?.join("\n") ?? "", after?.join("\n") ?? "");
    expect(lines.filter(({ sign }) => sign === "-")).toHaveLength(1500);
    expect(lines.filter(({ sign }) => sign === "+")).toHaveLength(1500);
  });
  test("is made visible", () => {
    const change = readFileChange({ file_path: "/a", content: "\x1b[8mhidden\n" });
    expect(change && formatFileChange(change, plain)).toEqual(["+ ␛[8mhidden"]);
  });
});

describe("a tool", () => {
  test("is told by the field that says most, and by all of them if none does", () => {
    expect(summarizeToolInput({ description: "List", command: "ls" })).toBe("ls");
    expect(summarizeToolInput({ some: 1 })).toBe('{"some":1}');
    expect(summarizeToolInput({ questions: [1] })).toBe("1 question");
    expect(summarizeToolInput("?")).toBe("");
  });
  test("names files of the folder without it", () => {
    expect(summarizeToolInput({ file_path: "/home/a/b.ts" }, "/home/a")).toBe("b.ts");
    expect(summarizeToolInput({ file_path: "/home/ab.ts" }, "/home/a")).toBe("/home/ab.ts");
  });
  test("takes at most three lines for its call", () => {
    const command = "word ".repeat(60);
    const lines = formatCall({ name: "Bash", input: { command } }, "", narrow);
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toEndWith("…");
    expect(lines.every((line) => Bun.stringWidth(line) <= 30)).toBe(true);
  });
  test("shows the things to do, and not that they were noted", () => {
    const todos = [
      { content: "Read", status: "completed" },
      { content: "Write", status: "in_progress" },
      { content: "Run", status: "pending" },
    ];
    const call = { name: "TodoWrite", input: { todos } };
    expect(formatCall(call, "", plain)).toEqual([
      "● TodoWrite 3 items",
      "    ☒ Read",
      "    ▸ Write",
      "    ☐ Run",
    ]);
    expect(formatResult("Todos have been modified", { call, failed: false }, "", plain)).toEqual(
      [],
    );
  });
  test("gives the beginning and the end of a long result", () => {
    const text = Array.from({ length: 40 }, (_, i) => `line ${i}`).join("\n");
    const lines = formatResult(text, { call: undefined, failed: false }, "", plain);
    expect(lines).toEqual([
      "  ⎿ line 0",
      ...["line 1", "line 2", "line 3", "line 4", "… 32 more lines"].map((line) => `    ${line}`),
      ...["line 37", "line 38", "line 39"].map((line) => `    ${line}`),
    ]);
  });
  test("says that there was no output", () => {
    expect(formatResult("", { call: undefined, failed: false }, "", plain)).toEqual([
      "  ⎿ (no output)",
    ]);
  });
  test("gives results that are not text by their kind", () => {
    expect(formatToolResult([{ type: "text", text: "a" }, { type: "image" }])).toBe("a\n[image]");
    expect(formatToolResult("<tool_use_error>no</tool_use_error>")).toBe("no");
  });
});

describe("layout", () => {
  test("breaks between words, and inside a word that is too long", () => {
    expect(wrapLines("one two three", 8)).toEqual(["one two ", "three"]);
    expect(wrapLines("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  });
  test("hangs the rest under the beginning", () => {
    expect(hangIndent("one two three four five", "! ", 18)).toBe("! one two three \n  four five");
  });
  test("counts columns, not characters", () => {
    expect(truncate("你好世界", 5)).toBe("你好…");
  });
  test("does not replace one line by a note", () => {
    expect(excerpt(["a", "b", "c"], 1, 1)).toEqual(["a", "b", "c"]);
    expect(excerpt(["a", "b", "c", "d"], 1, 1)).toEqual(["a", "… 2 more lines", "d"]);
  });
});

describe("style", () => {
  test("colours a terminal only, and not against the person's wish", () => {
    const red = (stream: { isTTY?: boolean }, env: Record<string, string>) =>
      createStyle(stream, env).red("x");
    expect(red({ isTTY: true }, {})).toBe("\x1b[31mx\x1b[39m");
    expect(red({}, {})).toBe("x");
    expect(red({ isTTY: true }, { NO_COLOR: "1" })).toBe("x");
    expect(red({ isTTY: true }, { TERM: "dumb" })).toBe("x");
  });
});
