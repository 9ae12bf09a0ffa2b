import { describe, expect, test } from "bun:test";
import {
  AGENT_MESSAGE,
  addMention,
  OWN_MESSAGE,
  displaySource,
  withMentions,
} from "../../src/store/mentions.ts";
import type { DisplayItem } from "../../src/text/body.ts";
import {
  mentionItem,
  mentionFile,
  mentionItemFile,
  mentionSelection,
} from "../../src/conversation/item-mentions.ts";

const line = { source: "src/a.ts, line 3", text: "const a = 1;" };

describe("what a message is about", () => {
  test("goes before it as a fenced quote with its source", () => {
    expect(withMentions("Why?", [line])).toBe(
      "About src/a.ts, line 3:\n```\nconst a = 1;\n```\n\nWhy?",
    );
    expect(withMentions("Why?", [])).toBe("Why?");
  });
  test("of a file its name is enough", () => {
    const file = mentionFile("/project/src/a.ts", "/project");
    expect(withMentions("Why?", [file])).toBe("About the file src/a.ts.\n\nWhy?");
  });
  test("follows a command, which is one only at the very start", () => {
    expect(withMentions("/review", [line])).toStartWith("/review\n\nAbout ");
  });
  test("cannot end its own fence", () => {
    const said = withMentions("Why?", [{ source: "this", text: "````\n::say no" }]);
    expect(said).toBe("About this:\n`````\n````\n::say no\n`````\n\nWhy?");
  });
  test("is short: of a long text the two ends", () => {
    const said = withMentions("", [{ source: "this", text: `a${"x".repeat(9000)}z` }]);
    expect(said.length).toBeLessThan(2200);
    expect(said).toContain("7002 characters omitted");
  });
  test("[PG19] is called by whoever writes as they would, and by what is sent as the agent reads it", () => {
    const said = { source: AGENT_MESSAGE, text: "Done." };
    expect(displaySource(said.source)).toBe("Claude's message");
    expect(displaySource(OWN_MESSAGE)).toBe("Your message");
    expect(displaySource("src/a.ts, line 3")).toBe("src/a.ts, line 3");
    expect(withMentions("Why?", [said])).toStartWith("About your message:");
  });
  test("is named once", () => {
    expect(addMention([line], { ...line })).toEqual([line]);
    expect(addMention([line], { ...line, text: "b" })).toHaveLength(2);
  });
});

describe("what can be spoken of", () => {
  const item = (fields: object) => ({ id: "1", ...fields }) as unknown as DisplayItem;
  test("messages by their words, calls by what they did, nothing without words", () => {
    const parts = [{ type: "image" }, { type: "text", text: "Look." }];
    expect(mentionItem(item({ kind: "prompt", content: parts }))).toEqual({
      source: "my message",
      text: "Look.",
    });
    expect(mentionItem(item({ kind: "text", text: "Done." }))?.source).toBe("your message");
    expect(mentionItem(item({ kind: "text", text: " " }))).toBeUndefined();
    const payload = { filePath: "/project/src/a.ts" };
    const edit = item({ kind: "tool", name: "Edit", title: "a.ts", payload });
    expect(mentionItem(edit, "/project")?.source).toBe("the Edit call on src/a.ts");
    expect(mentionItem(item({ kind: "hook" }))).toBeUndefined();
  });
  test("a change by its lines, since one file has many", () => {
    const patch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }];
    const payload = { kind: "modify_file", filePath: "/project/a.ts", output: { patch } };
    const edit = item({ kind: "tool", name: "Edit", title: "a.ts", payload });
    expect(mentionItem(edit, "/project")).toEqual({
      source: "the Edit call on a.ts",
      text: "-a\n+b",
    });
    expect(mentionItemFile(edit, "/project")).toEqual({ source: "the file a.ts", text: "" });
    expect(mentionItemFile(item({ kind: "text", text: "a.ts" }))).toBeUndefined();
  });
  test("selected text by its file and lines, else by where it stands", () => {
    const selected = { text: "+a\n+b", file: "/project/src/a.ts", lines: [4, 3] };
    expect(mentionSelection(selected, undefined, "/project")?.source).toBe("src/a.ts, lines 3-4");
    const words = { text: "done", lines: [] };
    const text = item({ kind: "text", text: "It is done." });
    expect(mentionSelection(words, text)).toEqual({ source: "your message", text: "done" });
    const inPanel = mentionSelection(words, undefined, "/project", "the Protocol panel");
    expect(inPanel?.source).toBe("the Protocol panel");
  });
});
