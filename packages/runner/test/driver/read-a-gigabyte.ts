// Reads an agent that says a gigabyte without a newline, and prints what came and what it cost.
import { startFake } from "./fake.ts";

const run = await startFake("a gigabyte without a newline");
let droppedBytes = 0;
let keptCharacters = 0;
let next = "";
for await (const batch of run.incoming) {
  for (const { text, flaws } of batch) {
    if (flaws?.droppedBytes) {
      droppedBytes = flaws.droppedBytes;
      keptCharacters = text.length;
    } else {
      next = text;
    }
  }
}
await run.closed;
const peakRssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ droppedBytes, keptCharacters, next, peakRssMb }));
