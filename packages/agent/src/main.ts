import { makeReferenceAgent } from "./reference/reference-agent.ts";
import { runAgent } from "./run-agent.ts";

await runAgent(makeReferenceAgent);
