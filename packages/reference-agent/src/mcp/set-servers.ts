import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@signalbox/protocol/wire";
import type { ServerConfig } from "./channel.ts";
import { readConfig } from "./config.ts";
import { type McpServer, newServer } from "./server.ts";

const NO_SERVER = "This configuration has neither a command nor a url.";

/** What a host's list of servers comes to, in the order in which Claude Code tells it: servers
 * inside the host first, then what is new, then what is replaced. */
interface Setting {
  readonly removed: readonly McpServer[];
  /** Those whose calls end, whether another takes their place or not. One inside the host that is
   * greeted again goes on with what it was called for. */
  readonly left: readonly McpServer[];
  /** In the order in which they are listed from now on. */
  readonly servers: readonly McpServer[];
  readonly added: readonly McpServer[];
}

/** `before`: what the list before this one named. Others stay, unless a new one has their name. */
export function getSetting(
  current: readonly McpServer[],
  wanted: Readonly<Record<string, JsonObject>>,
  before: ReadonlySet<string>,
): Setting {
  const [hosts, programs] = parted(current, ({ config }) => config.type === "sdk");
  const entries = Object.entries(wanted);
  const [inHost, outside] = parted(entries, ([, config]) => config["type"] === "sdk");
  const has = (list: readonly McpServer[], name: string) =>
    list.some((server) => server.name === name);
  const isNamed = (list: typeof entries, { name }: McpServer) =>
    list.some(([other]) => other === name);

  const [staying, gone] = parted(hosts, (server) => isNamed(inHost, server));
  const newHosts = inHost.filter(([name]) => !has(hosts, name)).map(made);
  // One more inside the host, and all of them are greeted again.
  const again =
    newHosts.length === 0 ? staying : staying.map(({ name, config }) => made([name, config]));

  const isOld = (name: string) => before.has(name) && has(programs, name);
  const isSame = (server: McpServer, config: JsonObject) =>
    isDeepStrictEqual(withType(server.config), withType(config));
  const kept = programs.filter((server) => {
    const config = outside.find(([name]) => name === server.name)?.[1];
    return config ? isOld(server.name) && isSame(server, config) : !before.has(server.name);
  });
  const changed = outside.filter(([name]) => !has(kept, name));
  const [replaced, fresh] = parted(changed, ([name]) => isOld(name));
  const named = [...before].flatMap((name) => programs.filter((server) => server.name === name));
  const removed = named.filter((server) => !isNamed(outside, server));
  const others = [...fresh, ...replaced].map(made);
  return {
    removed: [...gone, ...removed],
    left: current.filter((server) => ![...kept, ...staying].includes(server)),
    servers: [...kept, ...others, ...again, ...newHosts],
    added: [...newHosts, ...others],
  };
}

const withType = (config: object): object => ({ type: "stdio", ...config });

/** One that nobody could start is listed with the others, as failed. */
function made([name, given]: readonly [string, object]): McpServer {
  const config = readConfig(given);
  if (config) return newServer(name, config, "dynamic");
  const server = newServer(name, given as ServerConfig, "dynamic");
  return Object.assign(server, { status: "failed", error: NO_SERVER });
}

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
