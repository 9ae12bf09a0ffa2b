import { expect, test } from "bun:test";
import { countUnsent, collectUnsent } from "../../src/store/unsent.ts";

const there = crypto.randomUUID();
const gone = crypto.randomUUID();
const unsent = (session: string, nth: number) => ({
  id: crypto.randomUUID(),
  session,
  prompt: { text: `the words of ${nth}` },
  at: 0,
  nth,
});

test("[PG55] messages and drafts of a session that is gone are told from those that are on their way", () => {
  const messages = [unsent(there, 1), unsent(gone, 2)];
  const drafts = [there, gone, "new-session", "ask/1/deny", ""];
  const found = collectUnsent(messages, drafts, [{ id: there }]);
  expect(found.waiting.map(({ nth }) => nth)).toEqual([1]);
  expect(found.orphanedMessages.map(({ nth }) => nth)).toEqual([2]);
  expect(found.orphanedDrafts).toEqual([gone]);
  expect(countUnsent(found)).toBe(3);
});

test("[PG55] while no session is known none is taken for gone", () => {
  const found = collectUnsent([unsent(gone, 1)], [gone], undefined);
  expect(found.waiting).toHaveLength(1);
  expect(found.orphanedDrafts).toEqual([]);
});
