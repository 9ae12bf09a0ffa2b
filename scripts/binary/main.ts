// The entry of the one-file program. It carries the installed packages as an archive, unpacks them once for each
// version, and runs their command line in this process.
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
// @ts-expect-error: the build puts the archive beside this file
import archive from "./packages.tgz" with { type: "file" };

/** The program starts itself with another script as it would start Bun: see `runtimeCommand`. */
const isRuntime = process.argv[2]?.startsWith("--config=") === true;

if (isRuntime) {
  const at = process.argv.findIndex((each, index) => index >= 2 && !each.startsWith("--"));
  const script = process.argv[at] ?? "";
  process.argv = [process.execPath, script, ...process.argv.slice(at + 1)];
  await import(script);
} else {
  const modules = await unpack();
  const main = join(modules, "signalbox/dist/main.js");
  process.argv = [process.execPath, main, ...process.argv.slice(2)];
  await import(main);
}

/** Unpacks the packages into a folder of this version, where only this user can write. */
async function unpack(): Promise<string> {
  const bytes = await Bun.file(archive as string).bytes();
  const version = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const { XDG_DATA_HOME: shared = "" } = process.env;
  const parent = join(
    isAbsolute(shared) ? shared : join(homedir(), ".local/share"),
    "signalbox-program",
  );
  const folder = join(parent, version);
  if (existsSync(folder)) {
    requireOwn(folder);
    return join(folder, "node_modules");
  }
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  requireOwn(parent);
  chmodSync(parent, 0o700);
  const draft = mkdtempSync(join(parent, ".unpacking-"));
  try {
    const tar = Bun.spawn(["tar", "-xzf", "-", "-C", draft], { stdin: bytes, stderr: "inherit" });
    if ((await tar.exited) !== 0) throw new Error(`Couldn't unpack Signalbox to ${folder}.`);
    renameSync(draft, folder);
  } catch (failure) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw failure; // otherwise another start of the program was quicker
  }
  return join(folder, "node_modules");
}

/** What another user could replace must not run. */
function requireOwn(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  if (lstatSync(folder).isDirectory() && uid === process.getuid?.() && (mode & 0o022) === 0) return;
  console.error(
    `signalbox: ${folder} belongs to another user or can be changed by others. Remove it.`,
  );
  process.exit(3);
}
