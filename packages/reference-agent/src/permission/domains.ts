/** Whether a rule's `domain:…` is about a host: `*.` in front means everything below, any other `*`
 * a part of one name. Neither case nor dots at the end make another host of it. */
export function coversDomain(content: string | undefined, host: string): boolean {
  const said = /^domain:(.+)$/s.exec(content ?? "")?.[1];
  if (said === undefined) return false;
  const [pattern, name] = [plain(said), plain(host)];
  if (pattern === "*") return true;
  const below = /^\*\.(.+)$/s.exec(pattern)?.[1];
  const rest = (below ?? pattern)
    .split("*")
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${below === undefined ? "" : ".+\\."}${rest.join("[^.]*")}$`).test(name);
}

const plain = (host: string): string => host.toLowerCase().replace(/\.+$/, "");
