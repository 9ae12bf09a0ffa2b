// Reads an agent that says a gigabyte without a newline, and prints what came and what it cost.
import { startFake } from "./fake.ts";

const run = await startFake("a gigabyte without a newline");
let droppedBytes = 0;
let keptCharacters = 0;
let next = "";
for await (const batch of run.incoming) {
  for (const line of batch) {
    if (typeof line === "string") {
      next = line;
    } else {
      droppedBytes = line.flaws.droppedBytes ?? 0;
      keptCharacters = line.text.length;
    }
  }
}
await run.closed;
const peakRssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ droppedBytes, keptCharacters, next, peakRssMb }));
