import { mcpCommand } from "./command-line/mcp-command.ts";
import { UsageError } from "./command-line/usage-error.ts";
import { leaveBySignal } from "./leave-by-signal.ts";
import { leaveWithLauncher } from "./leave-with-launcher.ts";
import { makeReferenceAgent } from "./reference/reference-agent.ts";
import { type Admit, runAgent } from "./run-agent.ts";

leaveWithLauncher();
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
// On a terminal alone: what it needs is loaded when it is.
const admit: Admit = async (...asked) => {
  return (await import("./reference/admission/admit.ts")).admit(...asked);
};
await runAgent(makeReferenceAgent, admit);
