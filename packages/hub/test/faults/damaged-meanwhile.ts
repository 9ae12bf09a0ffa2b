/**
 * A process whose disk fails, and whose database is damaged while it does: pages of it are overwritten by
 * another program. Says as JSON lines how it fares, until the store is writable again or given up.
 */
import { openStore, type StoreHealth } from "@signalbox/hub/store";
import { spawnSync } from "node:child_process";
import { writeSync } from "node:fs";
import { join } from "node:path";
import { audit, line } from "../store/rows.ts";

const [folder = ""] = process.argv.slice(2);
const say = (news: object) => writeSync(1, `${JSON.stringify(news)}\n`);

const store = await openStore(folder, { retryMs: 50 });
const over = Promise.withResolvers<void>();
let damaged = false;
store.onHealth((health: StoreHealth) => {
  say({ health });
  if (health.writable || health.why === "damaged") return over.resolve();
  if (damaged) return;
  damaged = true;
  const to = `of=${join(folder, "signalbox.sqlite")}`;
  spawnSync("dd", ["if=/dev/urandom", to, "bs=4096", "seek=2", "count=8", "conv=notrunc"]);
});
for (let n = 1, stored = true; stored; n++) {
  stored = await store.commit([line("s", n), audit("wrote", { n })]).then(
    () => true,
    () => false,
  );
}
await over.promise;
const after = await store.commit([audit("wrote", {})]).then(
  () => "acknowledged",
  () => "refused",
);
say({ after });
process.exit(0);
