import type { SessionListing } from "../sessions/list.ts";
import { askLine, type Streams } from "./ask-line.ts";
import { toSingleLine } from "./screen-text.ts";

/** Lets a person choose a session by its number. Resolves to undefined if they choose none. */
export function chooseSession(
  sessions: readonly SessionListing[],
  streams: Streams,
): Promise<string | undefined> {
  const rows = sessions.map(
    ({ title, at }, index) =>
      `${String(index + 1).padStart(3)}  ${formatAge(at).padEnd(9)}${toSingleLine(title)}`,
  );
  streams.output.write(`Which conversation is to go on?\n${rows.join("\n")}\n`);
  return askLine("Number, or nothing to leave: ", streams, (reply) => {
    if (reply === "") return { value: undefined };
    const chosen = sessions[Number(reply) - 1];
    return chosen && { value: chosen.id };
  });
}

/** Formats how long ago something was: `40s ago`, `5m ago`, `3h ago`, `2d ago`. */
function formatAge(at: number, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86_400
    ? `${Math.floor(seconds / 3600)}h ago`
    : `${Math.floor(seconds / 86_400)}d ago`;
}
