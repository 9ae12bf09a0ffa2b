/**
 * Whether a rule's `domain:…` covers a host: `*.` at the beginning matches all subdomains, and any
 * other `*` a part of one label. Case and trailing dots do not matter.
 */
export function coversDomain(content: string | undefined, host: string): boolean {
  const domain = /^domain:(.+)$/s.exec(content ?? "")?.[1];
  if (domain === undefined) return false;
  const [pattern, name] = [normalizeHost(domain), normalizeHost(host)];
  if (pattern === "*") return true;
  const below = /^\*\.(.+)$/s.exec(pattern)?.[1];
  const rest = (below ?? pattern)
    .split("*")
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${below === undefined ? "" : ".+\\."}${rest.join("[^.]*")}$`).test(name);
}

const normalizeHost = (host: string): string => host.toLowerCase().replace(/\.+$/, "");
