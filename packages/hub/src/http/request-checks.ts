import { HubRefusal } from "../engine.ts";

/** The names under which the hub may be requested, each with the scheme by which it is reached. */
export type AllowedHosts = ReadonlyMap<string, "http" | "https">;

/** The allowed names as browsers write them, which is without the port if it is the scheme's default. */
export function createAllowedHosts(
  names: readonly { readonly host: string; readonly scheme: "http" | "https" }[],
): AllowedHosts {
  const written = names.map(({ host, scheme }) => {
    const own = scheme === "http" ? ":80" : ":443";
    return [host.endsWith(own) ? host.slice(0, -own.length) : host, scheme] as const;
  });
  return new Map(written);
}

/**
 * Checks the Host header before anything else, even the URL. A name that is not one of the hub's own was
 * pointed at this address by somebody else (DNS rebinding). Returns the origin that the hub's page has there.
 */
export function requireKnownHost(headers: Headers, hosts: AllowedHosts): string {
  const host = headers.get("host");
  if (host === null || host === "") {
    throw new HubRefusal(400, "no-host", "The request has no Host header.");
  }
  const scheme = hosts.get(host);
  if (scheme) return `${scheme}://${host}`;
  throw new HubRefusal(
    421,
    "wrong-host",
    `This hub answers only to its own names: ${[...hosts.keys()].join(", ")}. To add another name, start the hub with --name.`,
  );
}

/** Refuses whatever a browser sends for a page that is not the hub's own. */
export function requireSameOrigin(headers: Headers, own: string): void {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const foreign = origin !== null && origin !== own;
  if (!foreign && (site === null || site === "same-origin" || site === "none")) return;
  throw new HubRefusal(
    403,
    "wrong-origin",
    `Pages of other origins cannot use this hub. Type or paste ${own} into the address bar.`,
  );
}

/** The address that a request comes from. Forwarded headers are trusted only from the declared proxy. */
export function getPeerAddress(
  headers: Headers,
  address: string | undefined,
  proxy: string | undefined,
): string {
  const peer = normalizeAddress(address ?? "unknown");
  if (proxy === undefined || peer !== normalizeAddress(proxy)) return peer;
  const forwardedAddress = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  return forwardedAddress && /^[0-9a-fA-F.:]{2,45}$/.test(forwardedAddress)
    ? forwardedAddress
    : peer;
}

/** Turns an IPv4 address that is written as IPv6 back into IPv4. */
export function normalizeAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
