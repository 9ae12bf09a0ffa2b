import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@signalbox/protocol/wire";
import type { ServerConfig } from "./channel.ts";
import { readConfig } from "./config.ts";
import { type McpServer, newServer } from "./server.ts";

const NO_SERVER = "This configuration has neither a command nor a url.";

/**
 * The changes that a host's list of servers requires, in the order in which Claude Code reports
 * them: servers inside the host first, then added ones, then replaced ones.
 */
interface Setting {
  readonly removed: readonly McpServer[];
  /**
   * Servers whose calls end, whether they are replaced or not. A server inside the host that is
   * initialized again keeps its calls.
   */
  readonly left: readonly McpServer[];
  /** The servers in their new order. */
  readonly servers: readonly McpServer[];
  readonly added: readonly McpServer[];
}

/**
 * Computes the changes. `before` is the previous list from the host. Other servers stay, unless a
 * new one has the same name.
 */
export function getSetting(
  current: readonly McpServer[],
  wanted: Readonly<Record<string, JsonObject>>,
  before: ReadonlySet<string>,
): Setting {
  const [hosts, programs] = partition(current, ({ config }) => config.type === "sdk");
  const entries = Object.entries(wanted);
  const [inHost, outside] = partition(entries, ([, config]) => config["type"] === "sdk");
  const has = (list: readonly McpServer[], name: string) =>
    list.some((server) => server.name === name);
  const isNamed = (list: typeof entries, { name }: McpServer) =>
    list.some(([other]) => other === name);

  const [staying, removedServers] = partition(hosts, (server) => isNamed(inHost, server));
  const newHosts = inHost.filter(([name]) => !has(hosts, name)).map(createServer);
  // With one more server inside the host, all of them are initialized again.
  const again =
    newHosts.length === 0
      ? staying
      : staying.map(({ name, config }) => createServer([name, config]));

  const isOld = (name: string) => before.has(name) && has(programs, name);
  const isSame = (server: McpServer, config: JsonObject) =>
    isDeepStrictEqual(withType(server.config), withType(config));
  const unchangedServers = programs.filter((server) => {
    const config = outside.find(([name]) => name === server.name)?.[1];
    return config ? isOld(server.name) && isSame(server, config) : !before.has(server.name);
  });
  const changed = outside.filter(([name]) => !has(unchangedServers, name));
  const [replaced, fresh] = partition(changed, ([name]) => isOld(name));
  const named = [...before].flatMap((name) => programs.filter((server) => server.name === name));
  const removed = named.filter((server) => !isNamed(outside, server));
  const others = [...fresh, ...replaced].map(createServer);
  return {
    removed: [...removedServers, ...removed],
    left: current.filter((server) => ![...unchangedServers, ...staying].includes(server)),
    servers: [...unchangedServers, ...others, ...again, ...newHosts],
    added: [...newHosts, ...others],
  };
}

const withType = (config: object): object => ({ type: "stdio", ...config });

/** Creates a server entry. A server that cannot be started is listed as failed. */
function createServer([name, given]: readonly [string, object]): McpServer {
  const config = readConfig(given);
  if (config) return newServer(name, config, "dynamic");
  const server = newServer(name, given as ServerConfig, "dynamic");
  return Object.assign(server, { status: "failed", error: NO_SERVER });
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
