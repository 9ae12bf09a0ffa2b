import { expect, test } from "bun:test";
import { memoryDatabase } from "../../src/storage/database.ts";
import type { ChangeChannel } from "../../src/storage/outbox-storage.ts";
import { Drafts, emptyDraft } from "../../src/store/drafts.ts";
import { newSessionDraftName, prefilledDraftName } from "../../src/store/draft-names.ts";
import { parseAskDraftName, askDraftName } from "../../src/store/use-form-draft.ts";

const draft = (text: string) => ({ ...emptyDraft, text });

/** Two windows of one browser: one database, and a channel between them. */
async function twoWindows() {
  const database = { ...memoryDatabase(), isPersistent: true };
  const room = new EventTarget();
  const channel = (): ChangeChannel => ({
    postMessage: (data: unknown) => void room.dispatchEvent(new MessageEvent("message", { data })),
    addEventListener: room.addEventListener.bind(room) as ChangeChannel["addEventListener"],
  });
  return [await Drafts.open(database, channel()), await Drafts.open(database, channel())] as const;
}

/** Until a window shows a text. */
function shows(drafts: Drafts, name: string, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => drafts.get(name).text === text && resolve();
  drafts.subscribe(look);
  look();
  return promise;
}

test("[PG44] what is written in one window stands in the other, and neither writes over what it has not shown", async () => {
  const [one, other] = await twoWindows();
  one.set("s", draft("a long text of the first window"));
  await shows(other, "s", "a long text of the first window");
  other.set("s", draft(`${other.get("s").text}, and more`));
  await shows(one, "s", "a long text of the first window, and more");
  one.set("s", emptyDraft); // sent
  await shows(other, "s", "");
});

test("[PG44] a window that is just being written in keeps its words", async () => {
  const [one, other] = await twoWindows();
  one.set("s", draft("earlier"));
  other.set("s", draft("being written"));
  await shows(one, "s", "being written");
  expect(other.get("s").text).toBe("being written");
});

test("[PG44] what was written about an ask goes with it, and nothing else does", async () => {
  const [drafts] = await twoWindows();
  const names = [
    askDraftName("a", "deny"),
    askDraftName("b", "fields"),
    newSessionDraftName(),
    "session",
  ];
  for (const name of names) drafts.set(name, draft("words"));
  drafts.forget((name) => parseAskDraftName(name) === "a");
  expect(names.filter((name) => drafts.get(name).text !== "")).toEqual(names.slice(1));
});

test("[PG44] the first prompt that an earlier page kept as a form is an ordinary draft afterwards", async () => {
  const database = memoryDatabase();
  await database.put("drafts", "new-session", draft(JSON.stringify('say "hello"\nand more')));
  await database.put(
    "drafts",
    "carried/m1",
    draft(JSON.stringify("a message of a deleted session")),
  );
  const drafts = await Drafts.open(database);
  expect(drafts.get(newSessionDraftName()).text).toBe('say "hello"\nand more');
  expect(drafts.get(prefilledDraftName("m1")).text).toBe("a message of a deleted session");
  expect(drafts.names()).toEqual([newSessionDraftName(), prefilledDraftName("m1")]);
});
