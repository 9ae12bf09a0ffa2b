import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { FolderRefused, openStore, prepareFolder } from "@signalbox/hub";
import { openFolder, session } from "../log/rows.ts";

setDefaultTimeout(180_000);
const isRoot = process.getuid?.() === 0;

/** Everything in a folder, and the folder itself, that others may do something with. */
function open(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const paths = [folder, ...names.map((name) => join(folder, name))];
  return paths.filter((path) => (lstatSync(path).mode & 0o077) !== 0);
}

test("[LG12] under umask 000 and among files of any mode, everything is ours alone", async () => {
  await using folder = await openFolder();
  const before = process.umask(0);
  try {
    const data = join(folder.path, "data");
    mkdirSync(join(data, "deep", "er"), { recursive: true });
    writeFileSync(join(data, "old.log"), "", { mode: 0o644 });
    writeFileSync(join(data, "deep", "er", "old"), "", { mode: 0o666 });
    chmodSync(data, 0o777);
    expect(open(data)).not.toEqual([]);
    await using store = await openStore(data);
    await store.commit([session("a")]);
    expect(readdirSync(data)).toContain("signalbox.sqlite-wal");
    expect(open(data)).toEqual([]);
  } finally {
    process.umask(before);
  }
});

test("[LG12] a program in it stays one, for us alone", async () => {
  await using folder = await openFolder();
  const program = join(folder.path, "program");
  writeFileSync(program, "", { mode: 0o755 });
  chmodSync(program, 0o755);
  prepareFolder(folder.path);
  expect(lstatSync(program).mode & 0o777).toBe(0o700);
});

test("[LG12] a folder that is missing is made, with those above it", async () => {
  await using folder = await openFolder();
  const data = join(folder.path, "a", "b");
  prepareFolder(data);
  expect(lstatSync(data).mode & 0o777).toBe(0o700);
});

test("[LG12] the home folder, and what holds it, are refused before anything in them is touched", () => {
  const mode = statSync(homedir()).mode;
  for (const folder of [homedir(), `${homedir()}/`, dirname(homedir()), "/"]) {
    expect(() => prepareFolder(folder)).toThrow("holds your home folder");
  }
  expect(statSync(homedir()).mode).toBe(mode);
});

test("[LG12] a link, a file and a link inside are refused", async () => {
  await using folder = await openFolder();
  const [real, link, file] = ["real", "link", "file"].map((name) => join(folder.path, name));
  if (!real || !link || !file) throw new Error("no names");
  mkdirSync(real);
  symlinkSync(real, link);
  writeFileSync(file, "");
  expect(() => prepareFolder(link)).toThrow("is a link. Name the folder it leads to");
  expect(() => prepareFolder(`${link}/`)).toThrow(FolderRefused);
  expect(() => prepareFolder(file)).toThrow("is not a folder");
  expect(() => prepareFolder(join(file, "inside"))).toThrow("inside cannot be reached (ENOTDIR");
  const victim = join(folder.path, "victim");
  writeFileSync(victim, "", { mode: 0o644 });
  symlinkSync(victim, join(real, "signalbox.sqlite"));
  const failure = await openStore(real).catch((error: unknown) => error);
  expect(String(failure)).toContain("signalbox.sqlite is a link");
  expect(existsSync(join(real, "hub.lock"))).toBe(false);
});

test("[LG12] what another user owns is refused", async () => {
  await using folder = await openFolder();
  if (isRoot) chownSync(folder.path, 12_345, 12_345);
  const foreign = isRoot ? folder.path : "/usr";
  expect(() => prepareFolder(foreign)).toThrow("belongs to another user");
});
