import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PromptTypist } from "../../src/drivers/pty/prompt-typist.ts";
import { toTypedText } from "../../src/drivers/pty/prompt-text.ts";
import { MovedTimers } from "./moved-timers.ts";

const free = { isAsking: false, hasInput: true, draft: "" };
const dialog = { isAsking: true, hasInput: false, draft: "" };

function setUp() {
  const timers = new MovedTimers();
  const written: string[] = [];
  const waiting: string[] = [];
  const ended = new AbortController();
  const shown = { facts: free, request: false };
  const typist = new PromptTypist({
    readScreen: () => shown.facts,
    hasRequest: () => shown.request,
    wantsMarkedPastes: () => true,
    write: (text) => void written.push(text),
    onWaiting: (why) => waiting.push(why),
    signal: ended.signal,
    timers,
  });
  return { timers, written, waiting, ended, shown, typist };
}

test("[PT2] a message is pasted, and sent after a pause", async () => {
  const { timers, written, shown, typist } = setUp();
  const typed = typist.type("one\ntwo", () => {});
  await timers.passSlowly(1000); // it is not drawn yet
  expect(written).toEqual(["\u001b[200~one\ntwo\u001b[201~"]);
  shown.facts = { ...free, draft: "one\ntwo" };
  await timers.passSlowly(700);
  expect(written.slice(1)).toEqual(["\r"]);
  shown.facts = free;
  await timers.passSlowly(200);
  await typed;
});

test("[PT2] nothing is typed while a dialog is open or somebody writes, and a person is told", async () => {
  const { timers, written, waiting, shown, typist } = setUp();
  shown.facts = dialog;
  void typist.type("first", () => {});
  await timers.passSlowly(6000);
  expect([written, waiting]).toEqual([[], ["dialog"]]);
  shown.facts = { ...free, draft: "half a sen" };
  await timers.passSlowly(1000);
  expect(written).toEqual([]);
  shown.facts = free;
  shown.request = true; // its dialog is about to be shown
  await timers.passSlowly(1000);
  expect(written).toEqual([]);
  shown.request = false;
  await timers.passSlowly(200);
  expect(written.length).toBe(1);
  shown.facts = dialog; // it came between the message and the key that sends it
  await timers.passSlowly(5000);
  expect(written.length).toBe(1);
  shown.facts = { ...free, draft: "first" };
  await timers.passSlowly(500);
  expect(written.at(-1)).toBe("\r");
});

test("[PT2] the key is pressed again while the message is still in the field", async () => {
  const { timers, written, shown, typist } = setUp();
  const typed = typist.type("first", () => (shown.facts = { ...free, draft: "first" }));
  await timers.passSlowly(3000);
  expect(written.filter((text) => text === "\r").length).toBeGreaterThan(1);
  shown.facts = free;
  await timers.passSlowly(500);
  await typed;
});

test("[PT2] messages that were not typed when the program ends are not lost", async () => {
  const { timers, shown, ended, typist } = setUp();
  shown.facts = dialog;
  const typed = typist.type("first", () => {});
  await timers.passSlowly(200);
  ended.abort();
  const failure: unknown = await typed.catch((error: unknown) => error);
  expect(String(failure)).toContain("has ended");
});

test("[PT3] a message cannot become a key, a command without a request, or a dialog", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-commands-"));
  mkdirSync(join(folder, "commands"));
  writeFileSync(join(folder, "commands/deploy.md"), "Deploy.");
  const type = (text: string) => toTypedText(text, [folder]);
  expect(type("plain\r\ntext")).toEqual({ text: "plain\ntext" });
  expect(type("a\u001b[201~\r!ls\u0003")).toEqual({ text: "a[201~\n!ls" });
  for (const text of ["!ls", "#note", "&task", " !ls", "\n!ls"]) {
    const typed = type(text);
    expect("text" in typed && /^\s/.test(typed.text)).toBe(true);
  }
  expect(type("look at @src/a.ts")).toEqual({ text: "look at @src/a.ts " });
  expect(type("/etc/hosts is wrong")).toEqual({ text: " /etc/hosts is wrong" });
  expect(type("/compact keep the plan")).toEqual({ text: "/compact keep the plan" });
  expect(type("/deploy now")).toEqual({ text: "/deploy now" });
  for (const command of ["/permissions", " /add-dir /", "/exit", "/mcp", "/unheard-of"]) {
    expect(type(command)).toHaveProperty("refused");
  }
  rmSync(folder, { recursive: true });
});

test("[PT3] what cannot be seen is removed, and a message that ends in a backslash is sent", () => {
  const type = (text: string) => toTypedText(text, []);
  expect(type("\u200b!touch a")).toEqual({ text: " !touch a" });
  expect(type("a\u2060b\u{e0041}")).toEqual({ text: "ab" });
  expect(type("C:\\")).toEqual({ text: "C:\\ " });
  expect(type("\u200b")).toHaveProperty("refused");
});
