import { networkInterfaces } from "node:os";
import { SignalboxError } from "@signalbox/protocol";
import type { ListenerPolicy } from "./http-server.ts";
import { createAllowedHosts } from "./request-checks.ts";

export interface ListenOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** An address beyond this machine's loopback. Needs `tls` or `proxy`. */
  readonly host?: string;
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** The address of a proxy that speaks TLS to the world and HTTP to us. */
  readonly proxy?: string;
  /**
   * Names by which others reach the hub over TLS. Without a port: the one on which the hub itself speaks
   * TLS, or 443 of the proxy.
   */
  readonly names?: readonly string[];
  /**
   * Descriptors of listening sockets that this process inherited, exactly those on which it is to
   * speak plain HTTP. They say the port. Without them the hub opens its own.
   */
  readonly inherited?: readonly number[];
  /** A folder that only this user can enter, for the Unix sockets behind inherited ones. */
  readonly privateFolder?: string;
}

export const DEFAULT_PORT = 8765;
/** Ports that are free for IPv4 may be taken for IPv6: the system is asked so often for another. */
export const MAX_PORT_TRIES = 20;

export function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ address }) => address === "::1"),
  );
}

export interface Listener {
  readonly hostname: string;
  /** Added to the first listener's port. */
  readonly offset: number;
  readonly tls: boolean;
  createPolicy(port: number): ListenerPolicy;
}

interface ListenPlan {
  readonly listeners: readonly Listener[];
  readonly url: string;
  readonly publicUrl: string;
  /** Where other machines reach it; undefined: nowhere. */
  readonly outsideUrl: string | undefined;
}

const loopbacks = new Set(["127.0.0.1", "::1", "localhost"]);
const wildcards = new Set(["0.0.0.0", "::"]);

/**
 * Which sockets to open. On loopback always, in plain HTTP, for this machine's own programs; further
 * out only with TLS. Where the wide one takes every address, loopback's is the port after it.
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

/** Where other machines reach the hub: by its first name, else by the address it listens on with TLS. */
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
