import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FolderRefusedError, prepareFolder } from "@signalbox/hub/data";
import { openStore } from "@signalbox/hub/store";
import { containsFolder } from "../../src/data/folder.ts";
import { openFolder, session } from "../store/rows.ts";

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

test("[LG12] the home folder, and what holds it, are refused before anything in them is touched", async () => {
  await using folder = await openFolder();
  const home = join(folder.path, "users", "me");
  const file = join(home, "a file of others'");
  mkdirSync(home, { recursive: true });
  writeFileSync(file, "");
  symlinkSync(home, join(folder.path, "link to me"));
  const users = dirname(home);
  for (const path of [users, home, file]) chmodSync(path, 0o755);
  // Never with the home folder of who runs this: a program that does not refuse changes all that is in it.
  const program = `
    const { homedir } = await import("node:os");
    if (homedir() !== process.env.HOME) throw new Error("this would be another home folder");
    const { prepareFolder } = await import("@signalbox/hub/data");
    for (const folder of JSON.parse(process.env.FOLDERS)) {
      try {
        prepareFolder(folder);
        console.log("taken");
      } catch (error) {
        console.log(error.message);
      }
    }`;
  const refusals = async (own: string, folders: string[]) => {
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: import.meta.dir,
      env: { HOME: own, FOLDERS: JSON.stringify(folders) },
      stderr: "inherit",
    });
    return (await new Response(child.stdout).text()).trim().split("\n");
  };
  const refused = (path: string) => expect.stringContaining(`${path} contains your home folder`);
  expect(await refusals(home, [home, `${home}/`, users])).toEqual([home, home, users].map(refused));
  const linked = join(folder.path, "link to me");
  expect(await refusals(linked, [home, users])).toEqual([home, users].map(refused));
  expect([users, home, file].map((path) => lstatSync(path).mode & 0o777)).toEqual([
    0o755, 0o755, 0o755,
  ]);
  expect(await refusals(home, [join(home, "signalbox")])).toEqual(["taken"]);
  expect(containsFolder("/", "/home/me")).toBe(true);
  expect(containsFolder("/home/m", "/home/me")).toBe(false);
});

test("[LG12] a link, a file and a link inside are refused", async () => {
  await using folder = await openFolder();
  const [real, link, file] = ["real", "link", "file"].map((name) => join(folder.path, name));
  if (!real || !link || !file) throw new Error("no names");
  mkdirSync(real);
  symlinkSync(real, link);
  writeFileSync(file, "");
  expect(() => prepareFolder(link)).toThrow("is a link. Name the folder to which it leads");
  expect(() => prepareFolder(`${link}/`)).toThrow(FolderRefusedError);
  expect(() => prepareFolder(file)).toThrow("is not a folder");
  expect(() => prepareFolder(join(file, "inside"))).toThrow("inside cannot be opened (ENOTDIR");
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
