import { expect, test } from "bun:test";
import { requestConfirmation, pendingConfirmation } from "../../src/navigation/confirm.ts";
import { Toasts } from "../../src/store/toasts.ts";

const asked = { title: "Delete it?", text: "It is gone then.", confirmLabel: "Delete it" };

test("[PG26] what is asked is answered once, and another question means no to the first", async () => {
  const first = requestConfirmation(asked);
  const second = requestConfirmation({ ...asked, title: "And this?" });
  expect(await first).toBe(false);
  expect(pendingConfirmation.get()?.title).toBe("And this?");
  pendingConfirmation.get()?.answer(true);
  expect(await second).toBe(true);
  expect(pendingConfirmation.get()).toBeUndefined();
});

test("[IV13] in a toast nothing reorders", () => {
  const toasts = new Toasts();
  toasts.show('"\u202egnp" is archived');
  toasts.showError("It was not sent", new Error("\u2066no"));
  const texts = toasts.list.get().map(({ text }) => text);
  expect(texts).toEqual(['"⟨U+202E⟩gnp" is archived', "It was not sent: ⟨U+2066⟩no"]);
});
