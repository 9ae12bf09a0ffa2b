/** Which changes of a session were marked as viewed: a hash of each file's change, by its path. */
type ViewedFiles = Readonly<Record<string, string>>;

const KEY = "signalbox.viewed";
/** Marks are stored for so many sessions, the newest. */
const MAX_SESSIONS = 50;

function readAll(): [session: string, viewed: ViewedFiles][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as [string, ViewedFiles][]) : [];
  } catch {
    return [];
  }
}

export function readViewed(session: string): ViewedFiles {
  return readAll().find(([id]) => id === session)?.[1] ?? {};
}

export function storeViewed(session: string, viewed: ViewedFiles): void {
  const others = readAll().filter(([id]) => id !== session);
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify([[session, viewed], ...others].slice(0, MAX_SESSIONS)),
    );
  } catch {
    // The marks then last until the page is closed.
  }
}

/** A short text that differs when the change does. */
export function hashChange(patch: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < patch.length; at++) {
    hash = Math.imul(hash ^ patch.charCodeAt(at), 0x01000193);
  }
  return `${patch.length}-${(hash >>> 0).toString(36)}`;
}
