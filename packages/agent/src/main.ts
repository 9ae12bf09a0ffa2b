import { makeReferenceAgent } from "./reference/reference-agent.ts";
import { runAgent } from "./run-agent.ts";

const argv = process.argv.slice(2);
const mcp = argv.indexOf("mcp");
if (mcp !== -1 && argv[mcp + 1] === "serve") {
  const { serveTools } = await import("./reference/mcp/serve.ts");
  process.exit(await serveTools(argv.toSpliced(mcp, 2)));
}
await runAgent(makeReferenceAgent);
