const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a text is an origin exactly as browsers write it. Without encryption only pages of the same
 * machine are allowed: whoever is on the way could put a script into any other page.
 */
export function isExactOrigin(text: string): boolean {
  if (!URL.canParse(text) || text.includes("*")) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text) return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}
