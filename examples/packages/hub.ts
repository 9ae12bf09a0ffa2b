// Starts a hub inside this program. It has no runner, so it starts no agents. Needs Bun.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHub } from "@signalbox/hub";

const data = mkdtempSync(join(tmpdir(), "hub-example-"));
await using hub = await startHub({ data, version: "1.0.0", port: 0 });
console.log(`the hub listens on ${hub.url}`);
console.log(`pair the first browser: ${hub.firstPairing()?.url}`);
