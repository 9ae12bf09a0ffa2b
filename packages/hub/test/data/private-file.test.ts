import { expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createPrivateFile, readPrivateFile, replacePrivateFile } from "@signalbox/hub/data";
import { openFolder } from "../store/rows.ts";

test("[LG13] a private file is made once, for us alone, and not through a link", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "secret");
  const target = join(folder.path, "target");
  symlinkSync(target, join(folder.path, "link"));
  createPrivateFile(path, "one");
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(() => createPrivateFile(path, "two")).toThrow("EEXIST");
  expect(() => createPrivateFile(join(folder.path, "link"), "x")).toThrow("EEXIST");
  expect(readPrivateFile(path)).toBe("one");
  expect(lstatSync(target, { throwIfNoEntry: false })).toBeUndefined();
});

test("[LG13] a private file is replaced whole, and a link by a file", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "descriptor");
  const target = join(folder.path, "target");
  writeFileSync(target, "untouched");
  symlinkSync(target, path);
  replacePrivateFile(path, "one");
  replacePrivateFile(path, "two");
  expect(readPrivateFile(path)).toBe("two");
  expect(readFileSync(target, "utf8")).toBe("untouched");
  expect(readdirSync(folder.path).toSorted()).toEqual(["descriptor", "target"]);
  expect(() => replacePrivateFile(join(folder.path, "none", "x"), "")).toThrow("ENOENT");
});

test("[LG13] a private file that is a link or open to others is not read", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "secret");
  expect(readPrivateFile(path)).toBeUndefined();
  createPrivateFile(path, "one");
  symlinkSync(path, join(folder.path, "link"));
  expect(() => readPrivateFile(join(folder.path, "link"))).toThrow();
  chmodSync(path, 0o644);
  expect(() => readPrivateFile(path)).toThrow("other users");
});
