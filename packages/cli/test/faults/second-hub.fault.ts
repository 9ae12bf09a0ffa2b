import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProcessFile } from "@signalbox/testing/process-facts";
import { Room } from "./room.ts";

const main = join(import.meta.dir, "../../src/main.ts");

/** A second hub on the folder, as a person starts it: how it ended, what it said and how long it took. */
async function second(room: Room) {
  const since = performance.now();
  const command = [
    process.execPath,
    main,
    "serve",
    "--no-hold",
    "--port",
    "0",
    "--data",
    room.data,
  ];
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(room.place, "home") };
  const child = Bun.spawn(command, { env, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  return { exit: await child.exited, said, ms: Math.round(performance.now() - since) };
}

test("a second hub on the same folder leaves within a second; the first one's lock ends with it, whatever lies about", async () => {
  await using room = await Room.open();
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    const { exit, said, ms } = await second(room);
    expect(exit).toBe(3);
    expect(said).toContain(`(process ${room.hub.pid})`);
    times.push(ms);
  }
  console.log(JSON.stringify({ leftAfterMs: times }));
  expect(Math.max(...times)).toBeLessThanOrEqual(1000);
  expect(room.hub.exitCode).toBeNull();

  // What says who holds the folder, and the file of the lock, can be deleted; the lock cannot.
  const owner = join(room.data, "hub.owner");
  const kept = readFileSync(owner, "utf8");
  for (const name of ["hub.lock", "hub.owner", "hub.json"]) rmSync(join(room.data, name));
  const { exit, said, ms } = await second(room);
  expect(exit).toBe(3);
  expect(said).toContain("is in use by another hub");
  expect(ms).toBeLessThanOrEqual(1000);
  expect(room.hub.exitCode).toBeNull();
  writeFileSync(owner, kept, { mode: 0o600 });

  const left = readFileSync(owner, "utf8");
  for (let round = 0; round < 5; round++) {
    await room.killHub();
    // The file of one that was killed lies there, and its number belongs to a process that lives.
    expect(readProcessFile(process.pid, "cmdline")).not.toBe("");
    writeFileSync(owner, left.replace(/process \d+/, `process ${process.pid}`));
    await room.startHub();
    expect(readFileSync(owner, "utf8")).toContain(`process ${room.hub.pid}, since `);
  }
}, 300_000);
