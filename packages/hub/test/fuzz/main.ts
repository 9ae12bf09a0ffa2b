// Attacks a hub with everything that can be said to it: `npm run test:fuzz`, or for so many minutes,
// `npm run test:fuzz -- 5`, and with a seed, `npm run test:fuzz -- 5 123`.
import { fuzz } from "./fuzz.ts";

const minutes = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error("Usage: npm run test:fuzz -- [MINUTES] [SEED]");
  process.exit(2);
}
console.log(`seed ${seed}, ${minutes} minutes`);
const until = performance.now() + minutes * 60_000;
let toldAt = performance.now();
const done = await fuzz(
  seed,
  () => performance.now() < until,
  ({ attacks, baseMb, peakMb }) => {
    if (performance.now() - toldAt < 60_000) return;
    toldAt = performance.now();
    console.log(`${attacks} attacks; memory ${baseMb} → ${peakMb} MiB at most`);
  },
);
console.log(JSON.stringify({ seed, minutes, ...done }));
