// Sends 200 MB to an agent that never reads, one line after the other, and prints how many it took
// in the time that a working one needs, and how much memory the waiting cost.
import { startFake } from "@signalbox/testing/fake-agent";

const run = await startFake("does not read", { graceMs: 50 });
const line = "x".repeat(1024 * 1024);
const before = process.memoryUsage().rss;
let taken = 0;
const sending = (async () => {
  for (let i = 0; i < 200; i++) {
    await run.send(line);
    taken++;
  }
})().catch(() => {});
await Bun.sleep(1500);
const grownMb = (process.memoryUsage().rss - before) / 1024 / 1024;
console.log(JSON.stringify({ taken, grownMb }));
await run.close();
await sending;
