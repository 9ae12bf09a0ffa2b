import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk in memory; only root may make one. */
interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  grow(size: string): void;
  /** From now on nobody can write it; whoever has a file open for writing prevents that. */
  freeze(): void;
}

export async function openSmallDisk(size: string): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), "signalbox-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", path]);
  return {
    path,
    grow: (size) => void execFileSync("mount", ["-o", `remount,size=${size}`, path]),
    freeze: () => void execFileSync("mount", ["-o", "remount,ro", path]),
    [Symbol.asyncDispose]: async () => {
      execFileSync("umount", ["--lazy", path]);
      await rm(path, { recursive: true });
    },
  };
}
