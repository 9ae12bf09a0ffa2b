import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { PathText } from "../../src/text/path-text.tsx";
import { Preview } from "../../src/items/parts/preview.tsx";
import type { DisplayItem } from "../../src/text/body.ts";
import { everyItem, markup } from "./scene.tsx";

setDefaultTimeout(180_000);

let items: ReturnType<typeof everyItem> = [];
beforeAll(() => {
  items = everyItem();
});

/** As the hub sends it when every text in it is long. */
function allCut(item: DisplayItem): DisplayItem {
  const kept = new Set([
    "id",
    "parent",
    "kind",
    "status",
    "state",
    "level",
    "behavior",
    "operation",
    "$blob",
    "head",
    "tail",
  ]);
  const json = JSON.stringify(item, (key, value: unknown) =>
    typeof value === "string" && value.length > 3 && !kept.has(key)
      ? {
          $blob: "0",
          bytes: 40_000,
          characters: 40_000,
          head: `${value}HEAD`,
          tail: `TAIL${value}`,
        }
      : value,
  );
  return JSON.parse(json) as DisplayItem;
}

/** Every text of it begins with an override of the direction, but for words that choose a view. */
function overridden(item: DisplayItem): DisplayItem {
  const kept = /^(?:id|parent|kind|ask|status|state|level|behavior|operation|outcome|mediaType)$/;
  const json = JSON.stringify(item, (key, value: unknown) =>
    typeof value === "string" && !kept.test(key) ? `\u202e${value}` : value,
  );
  return JSON.parse(json) as DisplayItem;
}

class AllClosed extends Map<string, boolean> {
  override get(): boolean {
    return false;
  }
}

/** The lines that stand whether a card is open or not, with their attributes. */
function listHeads(html: string): string {
  const heads = html.matchAll(
    /<(button|div|h4) [^>]*class="(?:card-head|remark|font-sem)[^]*?<\/\1>/g,
  );
  return [...heads].map(([head]) => head).join("\n");
}

describe("views of items", () => {
  test("[IV7] every item that was recorded or made can be drawn", () => {
    expect(items.length).toBeGreaterThan(500);
    for (const { item, story } of items) expect(markup(item, story)).toContain("<article");
  });

  test("[IV12] an ask that was edited says so, and what was asked for stands beside what was allowed", () => {
    const place = { id: "x", order: 0, turn: 0, rev: 1 };
    const asked = { kind: "ask", ask: "permission", tool: "Bash", title: "ls -l" } as const;
    const allowed = { suggestions: [], status: "answered", behavior: "allow" } as const;
    const ask = { ...place, ...asked, ...allowed, input: { command: "ls -l" } };
    expect(markup(ask)).not.toContain("Edited");
    const shown = markup({ ...ask, inputBefore: { command: "rm \u202eout" } });
    expect(shown).toContain("Edited and allowed");
    const words = shown.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
    expect(words).toContain("Requested rm U+202E out Allowed instead ls -l");
  });

  test("[IV16] the preview of a choice is text as it was written, in the transcript as in the ask", () => {
    const preview = "+---+\n| *a* <b>\u202e\n+---+";
    const questions = [
      { question: "Which?", multiSelect: false, options: [{ label: "A", preview }] },
    ];
    const payload = { kind: "question", questions };
    const tool = { kind: "tool", name: "AskUserQuestion", title: "Which?", status: "complete" };
    const item = { id: "q", order: 1, turn: 1, rev: 1, ...tool, payload } as unknown as DisplayItem;
    const getBox = (html: string) => /<div class="preview".*?<\/pre><\/div>/s.exec(html)?.[0];
    const shown = getBox(markup(item));
    expect(shown).toContain("| *a* &lt;b&gt;");
    expect(shown).toContain("U+202E");
    expect(shown).toBe(renderToStaticMarkup(<Preview text={preview} />));
  });

  test("[IV13] no line of a card or a remark has a character in it that reorders", () => {
    const lines: ReadonlySet<string> = new Set(["tool", "ask", "task", "hook", "turn-end"]);
    const told = new Set<string>();
    for (const { item } of items.filter(({ item: { kind } }) => lines.has(kind))) {
      const shown = markup(overridden(item), [], new AllClosed());
      if (shown.includes("⟨U+202E⟩")) told.add(item.kind);
      expect(listHeads(shown)).not.toContain("\u202e");
    }
    expect(told).toEqual(new Set(["tool", "ask", "task", "hook"]));
  });

  test("[IV18] no character that reorders stands in anything that is shown of an item, opened or not", () => {
    const marked = new Set<string>();
    for (const { item, story } of items) {
      const shown = markup(overridden(item), story.map(overridden));
      if (shown.includes("U+202E")) marked.add(item.kind);
      // The path behind a mention is no text that is seen.
      expect(shown.replaceAll(/ data-file="[^"]*"/g, "")).not.toContain("\u202e");
    }
    expect([...marked]).toEqual(expect.arrayContaining(["prompt", "text", "thinking", "tool"]));
  });

  test("[IV18] a diff, a command, a prompt and code say by its number what would turn a line around", () => {
    const place = { id: "x", order: 0, turn: 0, rev: 1 };
    const evil = "// \u202e evil\u0007";
    const hunk = { oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: [`+${evil}`] };
    const tool = { ...place, kind: "tool", title: "t", status: "complete" };
    const readShown = (item: object) => {
      const words = markup(item as DisplayItem).replaceAll(/<[^>]+>/g, "");
      expect(words).not.toContain("\u202e");
      return words;
    };
    const output = { patch: [hunk], diff: "", added: 1, removed: 0 };
    const edit = { kind: "modify_file", filePath: "/a.ts", mutations: [], output };
    const long = `echo ${"x".repeat(80)} ${evil}`;
    const shell = { kind: "shell_exec", command: long, background: false };
    const marked = "// U+202E evilBEL";
    expect(readShown({ ...tool, name: "Edit", payload: edit })).toContain(marked);
    expect(readShown({ ...tool, name: "Bash", payload: shell })).toContain(marked);
    const fenced = ["```js", evil, "```"].join("\n");
    expect(readShown({ ...place, kind: "text", live: false, text: fenced })).toContain(marked);
    expect(readShown({ ...place, kind: "text", live: false, text: evil })).toContain(marked);
  });

  test("[IV11] a call that is being written is shown as what it will be", () => {
    const call = { id: "x", order: 0, turn: 0, rev: 1, kind: "tool", status: "preparing" } as const;
    const write = { ...call, name: "Write", title: "Write" };
    const inputText = '{"file_path":"/home/dev/demo/src/a.ts","content":"one\\n<two';
    const shown = markup({ ...write, inputText });
    expect(shown).toContain("src/a.ts");
    expect(shown).toContain("one\n&lt;two");
    expect(shown).not.toContain("file_path");
    const shell = { ...call, name: "Bash", title: "Bash" };
    expect(markup({ ...shell, inputText: '{"command":"npm te' })).toContain("npm te");
    expect(markup({ ...shell, inputText: '{"odd":"npm te' })).toContain("odd");
  });

  test("[IV7] what nobody knows is shown with its JSON", () => {
    const item = { id: "x", order: 0, turn: 0, rev: 1, kind: "hologram", said: "hello" };
    const shown = markup(item as unknown as DisplayItem);
    expect(shown).toContain("hologram");
    expect(shown).toContain("&quot;said&quot;: &quot;hello&quot;");
  });

  test("[IV7] a tool of a kind that nobody knows is shown with its JSON", () => {
    const payload = { kind: "teleport", to: "the moon" };
    const item = {
      id: "x",
      order: 0,
      turn: 0,
      rev: 1,
      kind: "tool",
      name: "Teleport",
      title: "t",
      status: "complete",
      payload,
    };
    expect(markup(item as unknown as DisplayItem)).toContain(
      "&quot;to&quot;: &quot;the moon&quot;",
    );
  });

  test("[IV8] any text of any item may be cut", () => {
    for (const { item, story } of items) expect(markup(allCut(item), story)).toContain("<article");
  });

  const cut = {
    $blob: "0",
    bytes: 1_234_567,
    characters: 1_200_000,
    head: "It begins with words, and the last is cu",
    tail: "it ends",
  };

  test("[IV8] prose that was cut ends after a whole word while the rest is loaded", () => {
    const item = { id: "x", order: 0, turn: 0, rev: 1, kind: "text", text: cut, live: false };
    const shown = markup(item as DisplayItem);
    expect(shown).toContain("It begins with words, and the last is<");
    expect(shown).toContain("Loading the rest (1.2 MB)");
    expect(shown).not.toContain("it ends");
  });

  test("[IV8] of output that was cut both ends are shown, its size, and how to get the rest", () => {
    const payload = { kind: "shell_exec", command: "cat", output: { stdout: cut, stderr: "" } };
    const call = items.find(
      ({ item }) => item.kind === "tool" && item.payload?.kind === "shell_exec",
    );
    const shown = markup({ ...call?.item, id: "y", status: "complete", payload } as DisplayItem);
    expect(shown).toContain("It begins with words");
    expect(shown).toContain("Show all (1.2 MB)");
    expect(shown).toContain("it ends");
  });
});

test("a request that expired is told apart from one that was withdrawn", () => {
  const ask = { order: 1, turn: 0, rev: 1, kind: "ask", ask: "permission", title: "ls" };
  const shown = (more: object) =>
    markup({ ...ask, id: "a", tool: "Bash", status: "cancelled", ...more } as DisplayItem);
  expect(shown({})).toContain("Canceled:");
  const message = "Nobody answered within 5 minutes, so this was not allowed.";
  expect(shown({ status: "expired", behavior: "deny", message })).toContain("Expired:");
});

test("[IV19] a call that stands still until a person answers does not look as if it ran", () => {
  const call = items.find(({ item }) => item.kind === "tool" && item.status === "running");
  if (call?.item.kind !== "tool") throw new Error("there is no call that runs");
  const { item } = call;
  expect(markup(item)).toContain('aria-label="Running"');
  const asked = markup({ ...item, waits: [{ from: 1 }] });
  expect(asked).toContain('aria-label="Needs you"');
  expect(asked).not.toContain('aria-label="Running"');
  expect(markup({ ...item, waits: [{ from: 1, to: 2 }] })).toContain('aria-label="Running"');
});

test("a path that needs no cut has one part alone: it stands on the line of what is beside it", () => {
  expect(renderToStaticMarkup(<PathText path="/tmp" />)).not.toContain("path-start");
  expect(renderToStaticMarkup(<PathText path="/home/dev/a/long/path/to/a/file.ts" />)).toContain(
    "path-start",
  );
});
