// Runs signalbox-agent in Claude Code's place, with the scripted model in the place of a real one.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Host, stdioDriver } from "@signalbox/host";
import { startModel } from "@signalbox/model";

await using model = await startModel();
const folder = mkdtempSync(join(tmpdir(), "agent-example-"));
await using host = await Host.start(stdioDriver(), {
  folder,
  agentPath: fileURLToPath(import.meta.resolve("@signalbox/reference-agent/program")),
  inheritFrom: { PATH: process.env["PATH"], HOME: folder },
  environment: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "unused" },
});
console.log(host.initialized.models?.length, "model(s)");
