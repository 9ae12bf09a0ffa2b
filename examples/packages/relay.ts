// Starts a hub that agents can dial into, by `--sdk-url` or `signalbox dial`. Needs Bun.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHub } from "@signalbox/hub";
import { relayExtension } from "@signalbox/relay";

const data = mkdtempSync(join(tmpdir(), "relay-example-"));
const extensions = [relayExtension({ dialIn: {}, discoveryPorts: [] })];
await using hub = await startHub({ data, version: "1.0.0", port: 0, extensions });
console.log(`agents connect to ${hub.url.replace("http", "ws")}/ws/cli/SESSION`);
