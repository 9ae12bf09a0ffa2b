/**
 * Hints from lines that are not JSON: a relay in the middle may print a message in its own format.
 * They serve for routing only. The line itself still counts as noise and is shown as such.
 */
const SESSION_ID = /session(?:_id|Id)?(?:["'=\s:]+)([a-z0-9._-]{8,})/i;
const INIT = /\[(?:init|system\/init)\]|\bsubtype["'=\s:]+init\b/i;

export function findSessionId(raw: string): string | undefined {
  return SESSION_ID.exec(raw)?.[1];
}

export function looksLikeInit(raw: string): boolean {
  return INIT.test(raw);
}
