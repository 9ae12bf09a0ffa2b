// The doors in a process of their own: tells which addresses they listen on, and what health answers.
import { openDoors } from "../http/stage.ts";

await using doors = await openDoors();
const health = await (await doors.ask("GET", "/health")).text();
const { stdout } = Bun.spawnSync(["ss", "-tlnH", `sport = :${doors.port}`]);
const addresses = stdout
  .toString()
  .trim()
  .split("\n")
  .map((line) => String(line.split(/\s+/)[3]).replace(/:\d+$/, ""));
console.log(JSON.stringify({ health, addresses: addresses.toSorted() }));
