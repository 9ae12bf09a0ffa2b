// Imports a made-up file in batches and prints the time of each step.
import { setTimeout as sleep } from "node:timers/promises";

const batch = Number(process.argv[2] ?? 1);
const files = Number(process.argv[3] ?? 8);
const perRowMs = 0.0005 + 0.15 / batch;

for (let file = 1; file <= files; file++) {
  await sleep(1000);
  const ms = 40_000 * perRowMs * (0.95 + 0.1 * Math.random());
  const mark = ms < 500 ? "\u001B[32m✓\u001B[0m" : "\u001B[33m!\u001B[0m";
  console.log(`${mark} file ${file}/${files}  40,000 rows  write ${(ms / 1000).toFixed(2)} s`);
}
