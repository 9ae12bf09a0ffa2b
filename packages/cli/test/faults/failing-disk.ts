import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: "utf8" }).trim();

/** Only root may mount, and not every machine has ext4. */
export const hasFailingDisk =
  process.getuid?.() === 0 &&
  spawnSync("mkfs.ext4", ["-V"]).status === 0 &&
  readdirSync("/dev").includes("loop-control");

/**
 * A small disk of which the kernel itself takes away the writing when it finds it faulty. Nobody can ask
 * for that by `mount -o remount,ro`: it is refused while a file is open for writing, as a database is.
 */
export function openFailingDisk(megabytes: number) {
  const place = mkdtempSync(join(tmpdir(), "signalbox-failing-"));
  const image = join(place, "image");
  const path = mkdtempSync(join(tmpdir(), "signalbox-disk-"));
  writeFileSync(image, "");
  truncateSync(image, megabytes * 1024 * 1024);
  run("mkfs.ext4", "-q", image);
  const mount = () => void run("mount", "-o", "loop,errors=remount-ro", image, path);
  mount();
  return {
    path,
    /** The kernel finds an error in it, and nothing can be written any more, by whoever has it open. */
    fail() {
      const device = basename(run("findmnt", "-no", "SOURCE", path));
      writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "a fault that a test wants");
    },
    /** Whoever had it open has to be gone. */
    mend() {
      run("umount", path);
      const { status } = spawnSync("fsck.ext4", ["-p", "-f", image]);
      if (status === null || status > 1) throw new Error(`fsck could not mend it: ${status}`);
      mount();
    },
    [Symbol.dispose]() {
      spawnSync("umount", ["--lazy", path]);
      for (const each of [path, place]) rmSync(each, { recursive: true, force: true });
    },
  };
}
