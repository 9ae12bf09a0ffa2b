import { execFile } from "node:child_process";
import { parseObject } from "@signalbox/protocol/wire";
import type { AgentContext } from "@signalbox/agent";
import type { ServerConfig } from "./channel.ts";

const HELPER_MS = 10_000;

type FarConfig = Extract<ServerConfig, { url: string }>;

/**
 * Adds the headers that the configured helper prints as JSON. They take precedence over those in
 * the configuration. If the helper fails, that is reported and the server is called without them.
 */
export async function withHelpedHeaders(
  name: string,
  config: FarConfig,
  { environment, folder, report }: Pick<AgentContext, "environment" | "folder" | "report">,
): Promise<FarConfig> {
  const { headersHelper: command, headers } = config;
  if (command === undefined) return config;
  const env = {
    ...environment,
    CLAUDE_CODE_MCP_SERVER_NAME: name,
    CLAUDE_CODE_MCP_SERVER_URL: config.url,
  };
  try {
    const printed = headersIn(await runHelper(command, env, folder));
    return { ...config, headers: { ...headers, ...printed } };
  } catch (cause) {
    report(`headersHelper of the MCP server ${name} failed: ${(cause as Error).message}`);
    return config;
  }
}

function headersIn(text: string): Record<string, string> {
  const value = parseObject(text);
  if (typeof value === "string") throw new Error("it printed no JSON object");
  const odd = Object.keys(value).find((one) => typeof value[one] !== "string");
  if (odd !== undefined) throw new Error(`the header ${odd} is no text`);
  return value as Record<string, string>;
}

/** Runs the setting as a shell command, as Claude Code does. */
function runHelper(
  command: string,
  env: AgentContext["environment"],
  cwd: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env, cwd, timeout: HELPER_MS };
    execFile("/bin/sh", ["-c", command], options, (failure, stdout) => {
      if (failure) reject(new Error(`it ended with ${failure.code ?? failure.signal}`));
      else resolve(stdout);
    });
  });
}
