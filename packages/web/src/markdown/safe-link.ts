interface SafeLink {
  readonly href: string;
  /** Where it leads, in a word: the host, or who is written to. */
  readonly destination: string;
}

/** Links lead to http, https and mailto, and nowhere else (C17); undefined: it stays text. */
export function parseSafeLink(address: string): SafeLink | undefined {
  const trimmed = address.trim();
  if (!/^(?:https?|mailto):/i.test(trimmed)) return undefined;
  try {
    const url = new URL(trimmed);
    if (url.protocol === "mailto:") return { href: url.href, destination: url.pathname };
    if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
    return { href: url.href, destination: url.host };
  } catch {
    return undefined;
  }
}
