import type { McpServerConfig, McpServerOption, SessionOptions } from "@signalbox/api";
import { efforts } from "@signalbox/api/constants";
import { HubRefusal } from "../refusal.ts";
import type { SessionRow, StoredOptions, StoredSecrets, StoredVariables } from "../store/store.ts";

type WithSecrets = Pick<SessionOptions, keyof StoredSecrets>;

/** What people chose, without what the hub keeps beside it. */
export function getChosenOptions({ options }: Pick<SessionRow, "options">): StoredOptions {
  const {
    takeUp: _t,
    startedBy: _s,
    changedInRun: _c,
    isSystemPromptChanged: _p,
    switchTo: _w,
    chatDriver: _d,
    ...chosen
  } = options;
  return chosen;
}

/** Puts the stored values of secrets in place of null. Refuses a null for which nothing is stored. */
export function fillSecrets<T extends WithSecrets>(
  { mcpServers, variables, ...others }: T,
  stored: StoredSecrets,
): Omit<T, keyof StoredSecrets> & StoredSecrets {
  return {
    ...others,
    ...(mcpServers && {
      mcpServers: mapValues(mcpServers, (server, name) =>
        fillServer(server, name, stored.mcpServers?.[name]),
      ),
    }),
    ...(variables && {
      variables: mapValues(
        variables,
        (value, name) => value ?? requireStored(stored.variables?.[name], `variable ${name}`),
      ),
    }),
  };
}

/** The options with null in place of secrets. */
export function hideSecrets<T extends StoredSecrets>({
  mcpServers,
  variables,
  ...others
}: T): Omit<T, keyof StoredSecrets> & WithSecrets {
  return {
    ...others,
    ...(mcpServers && { mcpServers: mapValues(mcpServers, hideServerSecrets) }),
    ...(variables && {
      variables: mapValues(variables, (storedValue) =>
        typeof storedValue === "string" ? null : storedValue,
      ),
    }),
  };
}

/** Variables as a process is given them. */
export function readVariables(variables: StoredVariables = {}): Record<string, string> {
  return mapValues(variables, (storedValue) =>
    typeof storedValue === "string" ? storedValue : storedValue.value,
  );
}

/** Refuses an effort that no version of the agent knows. */
export function requireEffort(effort: unknown): void {
  if (efforts.some((known) => known === effort)) return;
  const detail = `The effort ${JSON.stringify(effort)} is not valid. Use ${efforts.join(", ")}, or leave it out for the agent's default.`;
  throw new HubRefusal(422, "no-such-effort", detail);
}

function fillServer(
  server: McpServerOption,
  name: string,
  stored: McpServerConfig | undefined,
): McpServerConfig {
  if ("url" in server) {
    const { headers, ...others } = server;
    const known = stored && "url" in stored ? stored.headers : undefined;
    return { ...others, ...(headers && { headers: fillValues(headers, known, name, "header") }) };
  }
  const { env, ...others } = server;
  const known = stored && "command" in stored ? stored.env : undefined;
  return { ...others, ...(env && { env: fillValues(env, known, name, "variable") }) };
}

function fillValues(
  values: Readonly<Record<string, string | null>>,
  stored: Readonly<Record<string, string>> | undefined,
  server: string,
  kind: string,
): Record<string, string> {
  return mapValues(
    values,
    (value, key) =>
      value ?? requireStored(stored?.[key], `${kind} ${key} of the MCP server "${server}"`),
  );
}

function requireStored<T>(stored: T | undefined, what: string): T {
  if (stored !== undefined) return stored;
  throw new HubRefusal(422, "no-such-value", `The ${what} has no stored value to keep. Enter it.`);
}

function hideServerSecrets(server: McpServerConfig): McpServerOption {
  if ("url" in server) {
    const { headers, ...others } = server;
    return { ...others, ...(headers && { headers: mapValues(headers, () => null) }) };
  }
  const { env, ...others } = server;
  return { ...others, ...(env && { env: mapValues(env, () => null) }) };
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}
