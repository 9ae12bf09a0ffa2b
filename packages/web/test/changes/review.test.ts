import type { DraftView, NewDraft } from "@signalbox/api";
import { until } from "@signalbox/testing/until";
import { expect, test } from "bun:test";
import { loadDiff } from "../../src/changes/loaded-diff.ts";
import { findCodeSince } from "../../src/changes/changed-since.ts";
import { formatReview } from "../../src/changes/format-review.ts";
import {
  mergeComments,
  parseComments,
  type ReviewComment,
  serializeComments,
} from "../../src/changes/review-comment.ts";
import { ReviewStore } from "../../src/changes/review-store.ts";

const comment = (more: Partial<ReviewComment> = {}): ReviewComment => ({
  id: "one",
  path: "src/a.ts",
  side: "new",
  lines: { first: 2, last: 2 },
  code: "const a = 2;",
  before: "first",
  after: "last",
  text: "Use a name.",
  state: "pending",
  at: 1,
  ...more,
});
const change = (...lines: string[]) =>
  loadDiff("src/a.ts", {
    kind: "text",
    patch: `@@ -1,3 +1,${lines.length} @@\n${lines.join("\n")}\n`,
    cut: false,
  });

test("[PG98] a review is one message with file, lines and the code that each comment is about", () => {
  const message = formatReview([
    comment(),
    comment({ id: "two", lines: { first: 4, last: 5 }, code: "```\nx", side: "old", text: "Why?" }),
    comment({ id: "three", path: "b.md", code: "", text: "Too long." }),
  ]);
  expect(message).toContain("3 comments");
  expect(message).toContain(
    "1. `src/a.ts`, line 2\n\n```typescript\nconst a = 2;\n```\n\nUse a name.",
  );
  expect(message).toContain(
    "2. `src/a.ts`, lines 4 to 5 (removed)\n\n````typescript\n```\nx\n````\n\nWhy?",
  );
  expect(message).toContain("3. `b.md`");
});

test("[PG98] a comment shows what has changed in its code since", () => {
  expect(findCodeSince(comment(), change(" first", "+const a = 2;", " last"))).toEqual({
    kind: "same",
    first: 2,
  });
  const moved = change("+new", " first", "+const a = 2;", " last");
  expect(findCodeSince(comment(), moved)).toEqual({ kind: "same", first: 3 });
  const since = findCodeSince(comment(), change(" first", "+const named = 2;", "+x", " last"));
  expect(since.kind === "changed" && since.hunks[0]?.lines).toEqual([
    "-const a = 2;",
    "+const named = 2;",
    "+x",
  ]);
  expect(findCodeSince(comment(), change(" other"))).toEqual({ kind: "gone" });
});

test("[PG98] of two devices' comments the newer text counts, and what was deleted stays deleted", () => {
  const here = [comment({ text: "newer", at: 3 }), comment({ id: "two", state: "deleted", at: 5 })];
  const there = [comment({ text: "older", at: 2 }), comment({ id: "two", at: 4 })];
  expect(mergeComments(here, there)).toEqual(mergeComments(there, here));
  expect(mergeComments(here, there).map(({ text, state }) => [text, state])).toEqual([
    ["newer", "pending"],
    ["Use a name.", "deleted"],
  ]);
  expect(parseComments(serializeComments(here))).toEqual(here);
  expect(parseComments("what another program wrote")).toEqual([]);
});

test("[PG98] a review is stored at the hub, with what another device has added meanwhile", async () => {
  let stored: DraftView | undefined;
  const listeners = new Set<(draft: DraftView) => void>();
  const hub = {
    drafts: async () => (stored ? [stored] : []),
    saveDraft: async ({ name, text, base }: NewDraft) => {
      const rev = stored?.rev ?? 0;
      if (base !== rev) return { isSaved: false, rev };
      stored = {
        name,
        text,
        mentions: [],
        attachments: 0,
        rev: rev + 1,
        at: 0,
        device: { name: "a" },
      };
      for (const listener of listeners) listener(stored);
      return { isSaved: true, rev: rev + 1 };
    },
    onDraft: (listener: (draft: DraftView) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onState: () => () => {},
  };
  const session = crypto.randomUUID();
  const [one, other] = [1, 2].map(() => new ReviewStore(hub, session, () => {}));
  if (!one || !other) throw new Error("there are two");
  one.put([comment()]);
  other.put([comment({ id: "two", text: "And this." })]);
  const texts = (store: ReviewStore) => store.getSnapshot().map(({ text }) => text);
  for (const store of [one, other]) {
    await until("both comments are there", () => texts(store).length === 2, {
      seen: () => [texts(store), stored],
    });
  }
  await until("the hub has both", () => parseComments(stored?.text ?? "").length === 2);
  const [first] = one.getSnapshot();
  if (first) one.setState([first], "deleted");
  await until("it is gone on the other device", () => texts(other).length === 1);
  one.close();
  other.close();
});
