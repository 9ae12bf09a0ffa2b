// Asks the real Claude Code one question. The scripted model answers, so no account is needed; without
// `inheritFrom` and `environment`, Claude Code uses your own account.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Host, stdioDriver } from "@signalbox/host";
import { startModel } from "@signalbox/model";
import { readResultText } from "@signalbox/protocol";

await using model = await startModel({ script: 'tool Bash {"command":"touch made"}\nsay Done.' });
const folder = mkdtempSync(join(tmpdir(), "host-example-"));
const launch = {
  folder,
  inheritFrom: { PATH: process.env["PATH"], HOME: folder },
  environment: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "unused" },
};
await using host = await Host.start(stdioDriver(), launch, {
  onAsk(ask) {
    console.log(`asked about ${"tool" in ask ? ask.tool : ask.kind}`);
    return { behavior: "deny", message: "Only look, please." };
  },
});

// The turn ends when the agent has nothing left to do, also in the background.
const turn = host.turn({ text: "Make a file." }, { signal: AbortSignal.timeout(120_000) });
for await (const line of turn) {
  if (line.kind !== "known" || line.message.type !== "result") continue;
  console.log(readResultText(line.message));
}
