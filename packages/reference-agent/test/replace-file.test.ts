import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  normalizeLineEnds,
  findIntendedText,
  copyQuotationMarks,
} from "../src/tools/edit-match.ts";
import { replaceFile } from "../src/files/replace-file.ts";

let folder = "";
const at = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(at(name), "utf8");
const replace = (name: string, content: string): Promise<void> =>
  replaceFile(at(name), Buffer.from(content));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-replace-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("replacing a file", () => {
  test("[RA37] keeps its mode, and other names keep the old contents", async () => {
    writeFileSync(at("one"), "old");
    chmodSync(at("one"), 0o751);
    linkSync(at("one"), at("other"));
    await replace("one", "new");
    expect([text("one"), text("other")]).toEqual(["new", "old"]);
    expect(statSync(at("one")).mode & 0o7777).toBe(0o751);
    expect(readdirSync(folder).toSorted()).toEqual(["one", "other"]);
  });

  test("[RA37] happens at the target of a link, even if it does not exist yet", async () => {
    writeFileSync(at("target"), "old");
    symlinkSync("target", at("link"));
    symlinkSync("deep/made", at("dangling"));
    await replace("link", "new");
    await replace("dangling", "made");
    expect([text("target"), text("deep/made")]).toEqual(["new", "made"]);
    expect(readdirSync(folder).toSorted()).toEqual(["dangling", "deep", "link", "target"]);
  });

  test("[RA37] works where no second file can be created beside it", async () => {
    const long = "n".repeat(250);
    writeFileSync(at(long), "old");
    await replace(long, "new");
    expect(text(long)).toBe("new");
    expect(readdirSync(folder)).toEqual([long]);
  });
});

describe("the text of an edit", () => {
  test("[RA2] is found with straight quotation marks, and written with curly ones", () => {
    const whole = "he said “hi” and ‘bye’";
    expect(findIntendedText(whole, '"hi"')).toBe("“hi”");
    expect(findIntendedText(whole, '"ho"')).toBeUndefined();
    expect(copyQuotationMarks('("it") \'s', "“hi”", '"hi"')).toBe("(“it”) 's");
    expect(copyQuotationMarks("it's 'over'", "‘bye’", "'bye'")).toBe("it’s ‘over’");
    expect(copyQuotationMarks('"as it is"', '"hi"', '"hi"')).toBe('"as it is"');
  });

  test("[RA2] does not depend on line endings, and the most common ones are written", () => {
    const mixed = normalizeLineEnds("a\r\nb\nc\r\n");
    expect(mixed.text).toBe("a\nb\nc\n");
    expect(mixed.restore("a\nB\nc\n")).toBe("a\r\nB\r\nc\r\n");
    expect(normalizeLineEnds("a\nb\r\n").restore("a\nb\n")).toBe("a\nb\n");
  });
});
