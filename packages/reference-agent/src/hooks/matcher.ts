import { getNames } from "../tool-names.ts";

/**
 * Whether a matcher matches. No matcher and `*` match everything, and so does any matcher if there
 * is nothing to compare with; a list is separated by bars or commas; anything else is a regular
 * expression.
 */
export function matches(matcher: string | undefined, subject: string | undefined): boolean {
  const wanted = matcher?.trim() ?? "";
  if (subject === undefined || wanted === "" || wanted === "*") return true;
  const names = getNames(subject);
  if (/^[\w\s|,-]+$/.test(wanted)) {
    const listed = new Set(wanted.split(/[|,]/).map((name) => name.trim()));
    return names.some((name) => listed.has(name));
  }
  try {
    const pattern = new RegExp(wanted);
    return names.some((name) => pattern.test(name));
  } catch {
    return false;
  }
}
