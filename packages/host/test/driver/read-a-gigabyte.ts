// Reads an agent that says a gigabyte without a newline, and prints what came and what it cost.
import { readFileSync } from "node:fs";
import { startFake } from "@signalbox/testing/fake-agent";

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
// Not `maxRSS`: after a fork that begins with the peak of the parent.
const [, peakKb = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
const peakRssMb = Number(peakKb) / 1024;
console.log(JSON.stringify({ droppedBytes, keptCharacters, next, peakRssMb }));
