import { makeReferenceAgent } from "./reference/reference-agent.ts";
import { runAgent } from "./run-agent.ts";

const [first, second, ...rest] = process.argv.slice(2);
if (first === "mcp" && second === "serve") {
  const { serveTools } = await import("./reference/mcp/serve.ts");
  await serveTools(rest);
  process.exit(0);
}
await runAgent(makeReferenceAgent);
