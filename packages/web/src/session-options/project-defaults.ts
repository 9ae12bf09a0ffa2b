import type { AgentView, NewProjectOptions, PolicyName, SessionOptions } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

const text = strings.sessionOptions;

type ProjectDefaults = NonNullable<NewProjectOptions["options"]>;

/** What a project can remember of a session's options, and whether secrets were left out. */
export function toProjectDefaults(
  options: SessionOptions,
  policy: PolicyName | undefined,
  agents: readonly AgentView[],
): { readonly defaults: ProjectDefaults; readonly hasLeftOutSecrets: boolean } {
  const {
    agent = text.defaultAgent,
    driver,
    variables,
    mcpServers,
    policy: _,
    ...others
  } = options;
  const isOwnDriver = agents.find(({ name }) => name === agent)?.driver === driver;
  const shown = Object.entries(variables ?? {}).filter(isVisible);
  const servers = Object.entries(mcpServers ?? {}).filter(hasNoSecrets);
  const defaults: ProjectDefaults = {
    ...others,
    ...(agent !== text.defaultAgent && { agent }),
    ...(driver !== undefined && !isOwnDriver && { driver }),
    ...(shown.length > 0 && { variables: Object.fromEntries(shown) }),
    ...(servers.length > 0 && { mcpServers: Object.fromEntries(servers) }),
    ...(policy !== undefined && policy !== "autonomous" && { policy }),
  };
  const hasLeftOutSecrets =
    shown.length < Object.keys(variables ?? {}).length ||
    servers.length < Object.keys(mcpServers ?? {}).length;
  return { defaults, hasLeftOutSecrets };
}

type Variable = NonNullable<SessionOptions["variables"]>[string];
type Server = NonNullable<SessionOptions["mcpServers"]>[string];
type DefaultVariables = NonNullable<ProjectDefaults["variables"]>;
type DefaultServers = NonNullable<ProjectDefaults["mcpServers"]>;

function isVisible(entry: [string, Variable]): entry is [string, DefaultVariables[string]] {
  return typeof entry[1] === "object" && entry[1] !== null;
}

function hasNoSecrets(entry: [string, Server]): entry is [string, DefaultServers[string]] {
  const [, server] = entry;
  return Object.keys(("url" in server ? server.headers : server.env) ?? {}).length === 0;
}

/** The names of the options that a project has defaults for, as one text. */
export function describeDefaults(defaults: SessionOptions): string {
  const names = Object.entries(defaults).flatMap(([name, value]) => {
    const label = text.defaultNames[name];
    if (label === undefined) return [];
    return [typeof value === "object" ? label : `${label} ${String(value)}`];
  });
  return names.join(", ");
}
