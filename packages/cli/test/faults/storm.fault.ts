import { expect, test } from "bun:test";
import { CLIENTS, crowd } from "@signalbox/testing/crowd";
import { cpuSeconds } from "@signalbox/testing/process-facts";
import { Room } from "./room.ts";

/** How much of a core a process uses in a second. */
async function busyShare(pid: number): Promise<number> {
  const [since, before] = [performance.now(), cpuSeconds(pid)];
  await Bun.sleep(1000);
  return (cpuSeconds(pid) - before) / ((performance.now() - since) / 1000);
}

test("a hub that is killed under a thousand clients and starts again: all are caught up within 10 s, and it is idle again", async () => {
  // All clients are one device here, and those of the killed hub are counted until they are known to be gone.
  const limits = { streams: 2 * CLIENTS, requestBurst: 20 * CLIENTS };
  await using room = await Room.open({ hub: { limits } });
  const { id } = await room.session();
  const rename = (title: string) => room.admin.changeSession(id, { title });
  await rename("0");
  const { next, ask, child } = crowd(room.url, room.desk.text, id);
  try {
    expect(await next()).toEqual({ connected: CLIENTS });
    await room.killHub();
    await Bun.sleep(3000); // each has tried in vain, and waits as long as it likes
    await room.startHub();
    const since = Date.now();
    await rename(String(since));
    const { at } = await ask<{ at: number }>(`until ${since}`);
    console.log(JSON.stringify({ allBackMs: at - since }));
    expect(at - since).toBeLessThan(10_000);
    let share = 1;
    for (let seconds = 0; share > 0.1 && seconds < 20; seconds++) {
      share = await busyShare(room.hub.pid);
    }
    console.log(JSON.stringify({ share }));
    expect(share).toBeLessThan(0.1);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}, 300_000);
