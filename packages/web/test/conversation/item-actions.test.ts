import { describe, expect, test } from "bun:test";
import type { DisplayItem } from "../../src/text/body.ts";
import { forkPoint, hasActions, isRewindPoint } from "../../src/conversation/item-actions.ts";
import { listCopyableTexts } from "../../src/conversation/copyable-texts.ts";
import { loadFiles } from "../../src/conversation/prompt-files.ts";
import { parseRewind } from "../../src/session/rewind-answer.ts";

const item = (fields: object) => ({ id: "1", ...fields }) as unknown as DisplayItem;
const prompt = { kind: "prompt", content: "Go.", origin: "person", arrived: true };

describe("going back to an item", () => {
  const end = item({ kind: "turn-end", lastUuid: "last" });
  test("a fork goes on from the end of a turn", () => {
    expect(forkPoint(end)).toEqual({ from: { at: "last" }, text: "" });
    expect(forkPoint(item({ kind: "turn-end" }))).toBeUndefined();
  });
  test("or takes a message back, to be said differently", () => {
    expect(forkPoint(item(prompt))).toEqual({ from: { before: "1" }, text: "Go." });
    expect(forkPoint(item({ ...prompt, arrived: false }))).toBeUndefined();
  });
  test("[PG20] a message that is said differently keeps its pictures and PDFs", async () => {
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "AA" },
    };
    const cut = { $blob: "hash", bytes: 40_000, head: "JV", tail: "" };
    const document = { type: "document", title: "plan.pdf", source: { data: cut } };
    const content = [{ type: "text", text: "Look." }, image, document];
    const point = forkPoint(item({ ...prompt, content }));
    expect(point?.text).toBe("Look.");
    const client = { blob: (hash: string) => Promise.resolve(new Response(`whole ${hash}`)) };
    expect(await loadFiles(client, point?.files ?? [])).toEqual([
      { data: "AA" },
      { data: "whole hash", name: "plan.pdf" },
    ]);
  });
  test("outputs, diffs and thoughts can be copied, each for itself", () => {
    const shell = {
      kind: "shell_exec",
      command: "ls",
      output: { stdout: "a\n", stderr: "no b", exitCode: 1 },
    };
    const texts = (fields: object) =>
      listCopyableTexts(item(fields)).map(({ id, bodies }) => [id, ...bodies]);
    expect(texts({ kind: "tool", payload: shell })).toEqual([
      ["copy", "ls"],
      ["copy-output", "a\n", "no b"],
    ]);
    const edit = { kind: "modify_file", mutations: [], output: { diff: "@@ -1 +1 @@" } };
    expect(texts({ kind: "tool", payload: edit })).toEqual([["copy-diff", "@@ -1 +1 @@"]]);
    expect(texts({ kind: "thinking", text: "Hm." })).toEqual([["copy", "Hm."]]);
    expect(texts({ kind: "thinking", text: "" })).toEqual([]);
  });
  test("nothing goes back to what a subagent was told", () => {
    expect(forkPoint(item({ ...prompt, parent: "call" }))).toBeUndefined();
    expect(isRewindPoint(item({ ...prompt, parent: "call" }))).toBe(false);
  });
  test("files go back to what a person said", () => {
    expect(isRewindPoint(item(prompt))).toBe(true);
    expect(isRewindPoint(item({ ...prompt, origin: "agent" }))).toBe(false);
  });
  test("what has no words and no place to go back to has no menu", () => {
    expect([hasActions(item({ kind: "hook" })), hasActions(item({ kind: "text" }))]).toEqual([
      false,
      true,
    ]);
  });
});

describe("the agent's answer about files", () => {
  test("is read as far as it goes", () => {
    const answer = { canRewind: true, filesChanged: ["/a", 1], insertions: 2, deletions: 1 };
    expect(parseRewind(answer)).toEqual({ can: true, files: ["/a"], insertions: 2, deletions: 1 });
    expect(parseRewind(null)).toEqual({ can: false, files: [], insertions: 0, deletions: 0 });
    expect(parseRewind({ canRewind: false, error: "none" }).why).toBe("none");
  });
});
