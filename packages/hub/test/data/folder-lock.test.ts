import { expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FolderLockedError } from "@signalbox/hub/data";
import { openStore } from "@signalbox/hub/store";
import { openFolder } from "../store/rows.ts";

setDefaultTimeout(180_000);

async function refusal(folder: string): Promise<FolderLockedError> {
  const failure: unknown = await openStore(folder).catch((error: unknown) => error);
  if (failure instanceof FolderLockedError) return failure;
  throw new Error("it was not refused");
}

test("[LG14] a second hub is refused, told who has the folder, and let in after the first", async () => {
  await using folder = await openFolder();
  {
    await using _first = await openStore(folder.path);
    for (let round = 0; round < 3; round++) {
      const failure = await refusal(folder.path);
      expect(failure.code).toBe("FOLDER_LOCKED");
      expect(failure.message).toContain(`in use by another hub (process ${process.pid}, since `);
      Bun.gc(true); // a lock that nobody refers to would be collected
    }
  }
  await using second = await openStore(folder.path);
  expect(second.health.writable).toBe(true);
});

test("[LG14] the lock ends with its holder, and what it left behind means nothing", async () => {
  await using folder = await openFolder();
  const script = join(import.meta.dir, "hold-store.ts");
  const child = spawn(process.execPath, [script, folder.path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  expect((await refusal(folder.path)).message).toContain(`process ${child.pid}, since `);
  const gone = once(child, "close");
  child.kill("SIGKILL");
  await gone;
  // As if the number had been given to another process meanwhile.
  writeFileSync(join(folder.path, "hub.owner"), `process ${process.ppid}, since ever`);
  await using store = await openStore(folder.path);
  expect(store.health).toEqual({ writable: true });
  expect((await refusal(folder.path)).message).toContain(`process ${process.pid}, since `);
});

test("[LG14] a second hub is refused although the files of the lock were deleted", async () => {
  await using folder = await openFolder();
  await using first = await openStore(folder.path);
  for (const name of ["hub.lock", "hub.owner"]) rmSync(join(folder.path, name), { force: true });
  const failure = await refusal(folder.path);
  expect(failure.message).toContain("in use by another hub");
  const script = join(import.meta.dir, "hold-store.ts");
  const child = spawn(process.execPath, [script, folder.path], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (piece) => (said += String(piece)));
  const [code] = (await once(child, "close")) as [number];
  expect(code).not.toBe(0);
  expect(said).toContain("in use by another hub");
  expect(first.health).toEqual({ writable: true });
});

test("[LG14] programs that a hub starts and that outlive it do not hold its folder", async () => {
  await using folder = await openFolder();
  const first = await openStore(folder.path);
  const child = spawn("sleep", ["600"], { stdio: "ignore", detached: true });
  try {
    await first[Symbol.asyncDispose]();
    await using second = await openStore(folder.path);
    expect(second.health).toEqual({ writable: true });
  } finally {
    child.kill("SIGKILL");
  }
});
