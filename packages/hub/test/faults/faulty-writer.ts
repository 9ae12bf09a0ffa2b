/**
 * A process that writes numbered commits one after the other on a disk that fails, each until it is
 * stored, and says what it sees as JSON lines. A commit that was rejected and is there nonetheless would
 * be refused the second time, and ends the process with an error.
 */
import { openStore, StoreError, type StoreHealth } from "@signalbox/hub/store";
import { writeSync } from "node:fs";
import { audit, line } from "../store/rows.ts";

const [folder = "", count = "0"] = process.argv.slice(2);
const say = (news: object) => writeSync(1, `${JSON.stringify(news)}\n`);

const store = await openStore(folder, { retryMs: 50 });
store.onHealth((health) => say({ health }));
if (!store.health.writable) say({ health: store.health });
for (let n = 1; n <= Number(count); n++) await storeWhole(n);
await store[Symbol.asyncDispose]();
say({ done: true });
process.exit(0);

async function storeWhole(n: number): Promise<void> {
  for (;;) {
    try {
      const text = JSON.stringify({ n, pad: "x".repeat(5000) });
      await store.commit([line("s", n, { text }), audit("wrote", { n })]);
      say({ resolved: n });
      return;
    } catch (error) {
      if (!(error instanceof StoreError) || error.why === "refused") throw error;
      say({ rejected: n, why: error.why });
      await writable();
    }
  }
}

async function writable(): Promise<void> {
  if (store.health.writable) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = store.onHealth((health: StoreHealth) => health.writable && resolve());
  if (store.health.writable) resolve();
  await promise;
  leave();
}
