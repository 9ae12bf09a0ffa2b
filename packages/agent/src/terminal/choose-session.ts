import { createInterface } from "node:readline/promises";
import type { Listed } from "../sessions/list.ts";
import { oneLine } from "./screen-text.ts";
import type { Streams } from "./yes-or-no.ts";

/** Lets a person choose a session by its number; nothing: they chose none. */
export async function chooseSession(
  sessions: readonly Listed[],
  { input, output }: Streams,
): Promise<string | undefined> {
  const rows = sessions.map(
    ({ title, at }, index) =>
      `${String(index + 1).padStart(3)}  ${ago(at).padEnd(9)}${oneLine(title)}`,
  );
  output.write(`Which conversation is to go on?\n${rows.join("\n")}\n`);
  const lines = createInterface({ input, output });
  const left = new AbortController();
  lines.on("close", () => left.abort());
  lines.on("SIGINT", () => lines.close());
  try {
    for (;;) {
      const said = (await lines.question("Number, or nothing to leave: ", left)).trim();
      if (said === "") return undefined;
      const chosen = sessions[Number(said) - 1];
      if (chosen) return chosen.id;
    }
  } catch {
    return undefined; // they left
  } finally {
    lines.close();
  }
}

/** 40s ago, 5m ago, 3h ago, 2d ago */
function ago(at: number, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86_400
    ? `${Math.floor(seconds / 3600)}h ago`
    : `${Math.floor(seconds / 86_400)}d ago`;
}
