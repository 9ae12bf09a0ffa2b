import type { AgentFacts } from "../../launch/driver.ts";
import { agentEnvironment } from "./environment.ts";
import { findAgent } from "./find-agent.ts";
import type { Environment } from "./search-path.ts";
import { classifyVersion, readVersion } from "./version.ts";

/** The agent that would run: where it is, and what it says of itself. */
export async function lookForAgent(
  named: string | undefined,
  environment: Environment,
): Promise<AgentFacts> {
  const env = agentEnvironment(environment, {});
  const found = findAgent(named, env);
  const { version } = await readVersion(found, env, crypto.randomUUID());
  return { path: found.path, version, versionClass: classifyVersion(version) };
}
