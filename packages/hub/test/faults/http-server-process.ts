// The HTTP server in a process of its own: tells which addresses it listens on, and what health answers.
import { openTestServer } from "../http/stage.ts";

await using testServer = await openTestServer();
const health = await (await testServer.ask("GET", "/health")).text();
const { stdout } = Bun.spawnSync(["ss", "-tlnH", `sport = :${testServer.port}`]);
const addresses = stdout
  .toString()
  .trim()
  .split("\n")
  .map((line) => String(line.split(/\s+/)[3]).replace(/:\d+$/, ""));
console.log(JSON.stringify({ health, addresses: addresses.toSorted() }));
