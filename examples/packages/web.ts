// Serves the page from a hub of your own. Needs Bun, and the page built (it is in the npm package).
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startHub } from "@signalbox/hub";

const page = dirname(fileURLToPath(import.meta.resolve("@signalbox/web/dist/files.json")));
const data = mkdtempSync(join(tmpdir(), "web-example-"));
await using hub = await startHub({ data, version: "1.0.0", port: 0, page });
const html = await (await fetch(hub.url)).text();
console.log(/<title>.*<\/title>/.exec(html)?.[0]);
