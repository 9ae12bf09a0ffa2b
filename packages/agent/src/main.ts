import { mcpCommand } from "./command-line/mcp-command.ts";
import { UsageError } from "./command-line/usage-error.ts";
import { leaveBySignal } from "./leave-by-signal.ts";
import { makeReferenceAgent } from "./reference/reference-agent.ts";
import { runAgent } from "./run-agent.ts";

try {
  const command = mcpCommand(process.argv.slice(2));
  if (command?.kind === "help") {
    process.stdout.write(command.text);
    process.exit(0);
  }
  if (command?.kind === "serve") {
    leaveBySignal();
    const { serveTools } = await import("./reference/mcp/serve.ts");
    process.exit(await serveTools(command.given));
  }
} catch (failure) {
  if (!(failure instanceof UsageError)) throw failure;
  process.stderr.write(`${failure.message}\n`);
  process.exit(1);
}
await runAgent(makeReferenceAgent);
