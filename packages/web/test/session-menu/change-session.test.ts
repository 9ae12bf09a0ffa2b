import { expect, test } from "bun:test";
import type { Session } from "@signalbox/client";
import {
  previousValues,
  describeChange,
  changeSession,
} from "../../src/session-menu/change-session.ts";
import { Toasts } from "../../src/store/toasts.ts";
import type { AppContext } from "../../src/store/app-context.tsx";

const session = {
  id: "s",
  title: "Fix",
  pinned: false,
  archived: false,
  colour: "teal",
} as Session;

test("[PG26] what was changed of a session is said, and can be taken back", async () => {
  const asked: object[] = [];
  const changed = (_: string, change: object) => {
    asked.push(change);
    return Promise.resolve(session);
  };
  const toasts = new Toasts();
  const world = { client: { changeSession: changed }, toasts } as unknown as AppContext;
  for (const change of [
    { title: "Mend" },
    { pinned: true },
    { archived: true },
    { colour: "pink" },
  ] as const) {
    await changeSession(world, session, change);
    const toast = toasts.list.get().at(-1);
    expect(toast?.text).toBe(describeChange(session, change));
    toast?.actions[0]?.run();
    expect(asked.slice(-2)).toEqual([change, previousValues(session, change)]);
  }
});

test("what is said about the same thing takes the place of what was said before", () => {
  const toasts = new Toasts();
  toasts.show("one", { topic: "a" });
  toasts.show("two");
  toasts.show("three", { topic: "a" });
  expect(toasts.list.get().map(({ text }) => text)).toEqual(["two", "three"]);
});

test("a change that was refused is told, with the hub's reason", async () => {
  const toasts = new Toasts();
  const refuse = () => Promise.reject(new Error("The disk is full."));
  const world = { client: { changeSession: refuse }, toasts } as unknown as AppContext;
  await changeSession(world, session, { pinned: true });
  expect(toasts.list.get()).toMatchObject([{ tone: "failed", actions: [] }]);
  expect(toasts.list.get()[0]?.text).toContain("The disk is full.");
});
