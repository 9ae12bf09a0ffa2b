// Sends 200 MB to an agent that never reads, one line after the other, and prints how many it took
// and how much memory the waiting cost. Nobody else has a part in it: a send that does not wait for the
// reader settles within a few rounds of the event loop, on any machine.
import { startFake } from "@signalbox/testing/fake-agent";

/** So many in which no further line was taken. */
const ROUNDS = 10_000;

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
for (let round = 0, before = -1; round < ROUNDS; round = taken === before ? round + 1 : 0) {
  before = taken;
  await new Promise(setImmediate);
}
const grownMb = (process.memoryUsage().rss - before) / 1024 / 1024;
console.log(JSON.stringify({ taken, grownMb }));
await run.close();
await sending;
