import { parseMcpCommand } from "./mcp-serve/mcp-command.ts";
import { exitOnSignals, runAgent } from "@signalbox/agent";
import { type ConfirmStart, UsageError } from "@signalbox/agent/command-line";
import { exitWithLauncher } from "./exit-with-launcher.ts";
import { createReferenceAgent } from "./reference-agent.ts";

exitWithLauncher();
try {
  const command = parseMcpCommand(process.argv.slice(2));
  if (command?.kind === "help") {
    process.stdout.write(command.text);
    process.exit(0);
  }
  if (command?.kind === "serve") {
    exitOnSignals();
    const { serveTools } = await import("./mcp-serve/serve-tools.ts");
    process.exit(await serveTools(command.given));
  }
} catch (failure) {
  if (!(failure instanceof UsageError)) throw failure;
  process.stderr.write(`${failure.message}\n`);
  process.exit(1);
}
// This is only needed on a terminal, so it is loaded there.
const confirmStart: ConfirmStart = async (...asked) => {
  return (await import("./admission/confirm-start.ts")).confirmStart(...asked);
};
await runAgent(createReferenceAgent, confirmStart);
