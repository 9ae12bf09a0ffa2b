import { describe, expect, test } from "bun:test";
import {
  askReason,
  describeAsker,
  askSummary,
  listFields,
  foldText,
  askHeading,
  isShort,
} from "../../src/asks/ask-text.ts";

describe("what an ask shows", () => {
  test("every field of the input is there, the telling one first, texts as they are", () => {
    const input = { description: "List", command: "ls\n-la", timeout: 5, deep: { a: [1] } };
    expect(listFields({ tool: "Bash", input })).toEqual([
      { name: "command", text: "ls\n-la" },
      { name: "description", text: "List" },
      { name: "timeout", text: "5" },
      { name: "deep", text: '{\n  "a": [\n    1\n  ]\n}' },
    ]);
  });

  test("[PG4] an edit is its path and one change, from which both texts can be read", () => {
    const texts = [
      ["a\n b\nc\n", "a\nB\nc\n"],
      ["a\n", "a"],
      ["a", "a\n"],
      ["", "new\n"],
      ["gone", ""],
      ["x\r\ny", "x\ny"],
      ["+1\n-2", "-2\n 3\n"],
    ] as const;
    for (const [old_string, new_string] of texts) {
      const input = { replace_all: false, old_string, new_string, file_path: "/a" };
      const [path, change, ...others] = listFields({ tool: "Edit", input });
      expect(path).toEqual({ name: "file_path", text: "/a", look: "path" });
      expect(others).toEqual([]);
      const lines = change?.text.split("\n") ?? [];
      const side = (sign: string) =>
        lines.flatMap((line) => (line[0] === " " || line[0] === sign ? [line.slice(1)] : []));
      const end = old_string.endsWith("\n") && new_string.endsWith("\n") ? "\n" : "";
      expect(side("-").join("\n") + (old_string === "" ? "" : end)).toBe(old_string);
      expect(side("+").join("\n") + (new_string === "" ? "" : end)).toBe(new_string);
    }
    const everywhere = { file_path: "/a", old_string: "a", new_string: "b", replace_all: true };
    expect(listFields({ tool: "Edit", input: everywhere })[2]).toEqual({
      name: "replace_all",
      text: "true",
    });
  });

  test("a reason that only says that approval is needed is not repeated", () => {
    expect(askReason({ reason: "This command requires approval" })).toBeUndefined();
    expect(askReason({ reason: "It writes outside of the folder." })).toContain("outside");
  });

  test("an input that is no object is shown, too", () => {
    expect(listFields({ tool: "Odd", input: "text" })).toEqual([{ name: "input", text: "text" }]);
  });

  test("a summary names what the call would do, in one line", () => {
    const summary = (tool: string, input: unknown) =>
      askSummary({ kind: "permission", tool, title: "", input });
    expect(summary("Bash", { command: "rm -rf build" })).toBe("Wants to run rm -rf build");
    expect(summary("Bash", { command: "ls\nrm x" })).toBe("Wants to run ls…");
    expect(summary("Write", { file_path: "/a/b.txt", content: "" })).toBe(
      "Wants to write /a/b.txt",
    );
    expect(summary("Edit", { file_path: "/a" })).toBe("Wants to edit /a");
    const inside = {
      kind: "permission",
      tool: "Edit",
      title: "",
      input: { file_path: "/a/b/c" },
    } as const;
    expect(askSummary(inside, "/a")).toBe("Wants to edit b/c");
    expect(summary("mcp__x__y", {})).toBe("Wants to use mcp__x__y");
  });

  test("[PG46] who asks is named by its kind and by what it is to do, as far as that is known", () => {
    const agentId = "a1";
    const subagent = { type: "Explore", description: "Find it\nand more" };
    expect(describeAsker({})).toBeUndefined();
    expect(describeAsker({ agentId })).toBe("a subagent");
    expect(describeAsker({ agentId, subagent: { description: "Find it" } })).toBe(
      "a subagent: Find it",
    );
    expect(describeAsker({ agentId, subagent: { type: "Explore" } })).toBe("Explore agent");
    expect(describeAsker({ agentId, subagent })).toBe("Explore agent: Find it…");
    const ask = { kind: "permission", tool: "Bash", title: "", input: { command: "ls" } } as const;
    expect(askSummary(ask)).toBe("Wants to run ls");
    expect(askSummary({ ...ask, agentId, subagent })).toBe(
      "Wants to run ls (Explore agent: Find it…)",
    );
  });

  test("its heading says what kind of thing waits", () => {
    const of = (kind: "permission" | "question" | "plan", tool?: string) =>
      askHeading({ kind, title: "t", input: {}, ...(tool !== undefined && { tool }) });
    expect(of("permission", "Bash")).toBe("Run this command?");
    expect(of("permission", "Unheard")).toBe("Use Unheard?");
    expect([of("question"), of("plan")]).toEqual(["Question for you", "Plan ready for review"]);
  });

  test("the heading of what a server asks names the server", () => {
    const of = (input: object) => askHeading({ kind: "elicitation", title: "t", input });
    const server = { mcp_server_name: "charts" };
    expect(of(server)).toBe("The server charts asks for information");
    expect(of({ ...server, url: "https://x.example" })).toBe(
      "The server charts asks you to open an address",
    );
    expect(of({})).toBe("A server asks for information");
  });
});

describe("folding", () => {
  test("a short text is whole; of a long one it is known how much is hidden", () => {
    expect(foldText("one\ntwo")).toMatchObject({ hiddenLines: 0, hiddenCharacters: 0 });
    const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`);
    const fold = foldText(lines.join("\n"));
    expect(fold.hiddenLines).toBe(6);
    expect(
      fold.shown +
        lines
          .slice(24)
          .map((line) => `\n${line}`)
          .join(""),
    ).toBe(lines.join("\n"));
  });

  test("one endless line folds as well, whatever stands at its end", () => {
    const text = `echo ${" ".repeat(99_000)}; rm -rf ~`;
    const { shown, hiddenLines, hiddenCharacters } = foldText(text);
    expect([shown.length, hiddenLines, hiddenCharacters]).toEqual([3000, 0, text.length - 3000]);
  });

  test("only what is read in one line stands beside its name", () => {
    expect(isShort({ name: "a", text: "short" })).toBe(true);
    expect(isShort({ name: "a", text: "two\nlines" })).toBe(false);
    expect(isShort({ name: "a", text: "x".repeat(200) })).toBe(false);
  });
});
