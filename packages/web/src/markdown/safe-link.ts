interface SafeLink {
  readonly href: string;
  /** The host, or the mail address. */
  readonly destination: string;
}

/** Parses a link to http, https or mailto. Undefined for everything else, which stays text (C17). */
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
