import type { AgentFacts } from "../../launch/driver.ts";
import type { Isolation } from "../../isolation/isolation.ts";
import { agentEnvironment } from "./environment.ts";
import { findAgent } from "./find-agent.ts";
import type { Environment } from "./search-path.ts";
import { classifyVersion, readVersion } from "./version.ts";

/** The agent that would run: where it is, and what it says of itself. */
export async function lookForAgent(
  named: string | undefined,
  environment: Environment,
  isolation?: Isolation,
): Promise<AgentFacts> {
  const env = agentEnvironment(environment, {});
  const found = findAgent(named, env);
  const runId = crypto.randomUUID();
  // Isolated as a run is: agents may write where programs of this user are usually installed.
  const plan = await isolation?.plan({ folder: "/" }, "/", env);
  try {
    const { version } = await readVersion(found, env, runId, undefined, plan);
    return { path: found.path, version, versionClass: classifyVersion(version) };
  } finally {
    plan?.release();
  }
}
