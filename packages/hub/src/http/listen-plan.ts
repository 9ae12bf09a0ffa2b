import { networkInterfaces } from "node:os";
import { SignalboxError } from "@signalbox/protocol";
import type { ListenerPolicy } from "./http-server.ts";
import { createAllowedHosts } from "./request-checks.ts";

export interface ListenOptions {
  /** The port; 0: any that is free. */
  readonly port: number;
  /** An address that other machines reach. It requires `tls` or `proxy`. */
  readonly host?: string;
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** The address of a proxy that accepts TLS connections and forwards them to the hub over HTTP. */
  readonly proxy?: string;
  /**
   * The names by which others reach the hub over TLS. A name without a port has the port on which the hub
   * itself serves TLS, or 443 with a proxy.
   */
  readonly names?: readonly string[];
  /**
   * The descriptors of inherited listening sockets, exactly those on which the hub serves plain HTTP. They
   * determine the port. Without them the hub opens its own sockets.
   */
  readonly inherited?: readonly number[];
  /** A folder that only this user can enter, for the Unix sockets behind inherited ones. */
  readonly privateFolder?: string;
}

export const DEFAULT_PORT = 8765;
/** How many ports are tried, because one that is free for IPv4 may be taken for IPv6. */
export const MAX_PORT_TRIES = 20;

export function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ address }) => address === "::1"),
  );
}

export interface Listener {
  readonly hostname: string;
  /** Added to the port of the first listener. */
  readonly offset: number;
  readonly tls: boolean;
  createPolicy(port: number): ListenerPolicy;
}

interface ListenPlan {
  readonly listeners: readonly Listener[];
  readonly url: string;
  readonly publicUrl: string;
  /** The URL for other machines; undefined: they cannot reach the hub. */
  readonly outsideUrl: string | undefined;
}

const loopbacks = new Set(["127.0.0.1", "::1", "localhost"]);
const wildcards = new Set(["0.0.0.0", "::"]);

/**
 * Plans which sockets to open. Loopback always gets one with plain HTTP, for this machine's own programs;
 * other addresses only get TLS. If TLS takes every address on the port, loopback's is the next port.
 */
export function planListening(options: ListenOptions, port: number, ipv6: boolean): ListenPlan {
  const wide =
    options.host !== undefined && !loopbacks.has(options.host) ? options.host : undefined;
  checkOptions(options, wide);
  const offset = wide !== undefined && wildcards.has(wide) ? 1 : 0;
  const names = (options.names ?? []).map((host) => ({ host, scheme: "https" as const }));
  const named = (port: number) =>
    options.tls === undefined ? names : names.map((name) => withPort(name, port));
  const near = ["127.0.0.1", ...(ipv6 ? ["::1"] : [])];
  const loopback = near.map((hostname): Listener => ({
    hostname,
    offset,
    tls: false,
    createPolicy: (port) => {
      const own = ["127.0.0.1", "localhost", ...(ipv6 ? ["[::1]"] : [])];
      const hosts = own.map((name) => ({ host: `${name}:${port}`, scheme: "http" as const }));
      const proxied = options.proxy === undefined ? [] : names;
      return {
        hosts: createAllowedHosts([...hosts, ...proxied]),
        proxy: options.proxy,
        proxyOnly: false,
      };
    },
  }));
  const far = wide === undefined ? [] : [createWideListener(options, wide, named)];
  const url = `http://127.0.0.1:${port + offset}`;
  const outside = findOutsideUrl(options, wide, named(port), port);
  const publicUrl = outside ?? `http://localhost:${port + offset}`;
  return { listeners: [...far, ...loopback], url, publicUrl, outsideUrl: outside };
}

/** The URL for other machines: the hub's first name, or else the address on which it serves TLS. */
function findOutsideUrl(
  { tls }: ListenOptions,
  wide: string | undefined,
  named: readonly Name[],
  port: number,
): string | undefined {
  const own = wide !== undefined && tls !== undefined && !wildcards.has(wide) ? [wide] : [];
  const addresses = own.map((host) => ({ host: `${bracketIpv6(host)}:${port}`, scheme }));
  const [name] = createAllowedHosts([...named, ...addresses]).keys();
  return name === undefined ? undefined : `https://${name}`;
}

const scheme = "https" as const;

function bracketIpv6(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

interface Name {
  readonly host: string;
  readonly scheme: "https";
}

function withPort({ host, scheme }: Name, port: number): Name {
  return { host: /:\d+$/.test(host) ? host : `${host}:${port}`, scheme };
}

function createWideListener(
  options: ListenOptions,
  hostname: string,
  named: (port: number) => readonly Name[],
): Listener {
  return {
    hostname,
    offset: 0,
    tls: options.tls !== undefined,
    createPolicy: (port) => {
      const own = wildcards.has(hostname)
        ? []
        : [{ host: `${bracketIpv6(hostname)}:${port}`, scheme }];
      return {
        hosts: createAllowedHosts([...own, ...named(port)]),
        proxy: options.proxy,
        proxyOnly: options.tls === undefined,
      };
    },
  };
}

function checkOptions({ tls, proxy, names }: ListenOptions, wide: string | undefined): void {
  const guarded = tls !== undefined || proxy !== undefined;
  if (wide !== undefined && !guarded) {
    refuse(
      `Listening on ${wide} without TLS would expose everything to the network. Add --tls-cert and --tls-key, or --proxy with the address of a proxy that speaks TLS.`,
    );
  }
  if (names?.length && !guarded) {
    refuse("--name needs TLS. Add --tls-cert and --tls-key, or --proxy.");
  }
  if (tls !== undefined && wide === undefined) {
    refuse("TLS is only used beyond this machine. Add --host.");
  }
  if (wide !== undefined && wildcards.has(wide) && !names?.length) {
    refuse(`Listening on ${wide} needs --name, the name under which others open the hub.`);
  }
}

function refuse(why: string): never {
  throw new SignalboxError("CANNOT_LISTEN", { why });
}
