import { createInterface } from "node:readline";

/** A child that says where it is, and on each line of its input what it has cost so far. */
export function answerOnStdin(begin: object): void {
  console.log(JSON.stringify(begin));
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (line === "gc") Bun.gc(true);
    const { user, system } = process.cpuUsage();
    const { heapUsed, rss } = process.memoryUsage();
    console.log(JSON.stringify({ cpuSeconds: (user + system) / 1e6, heapUsed, rss }));
  });
  lines.on("close", () => process.exit(0));
}
