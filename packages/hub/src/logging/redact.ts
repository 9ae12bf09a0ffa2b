/** Patterns of secrets: the hub's own, and those of services that agents use. */
const secretPatterns = [
  /\bsb[xtrk]_[0-9a-f]{32}_[A-Za-z0-9_-]{20,}/g,
  /\b[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){4}\b/g,
  /\bBearer\s+[^\s"\\]{8,}/gi,
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/g,
];

/** Replaces what has the form of a secret. */
export function redactSecrets(text: string): string {
  let redacted = text;
  for (const pattern of secretPatterns) redacted = redacted.replaceAll(pattern, "[hidden]");
  return redacted;
}
