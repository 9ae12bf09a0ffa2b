import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HubClient, LineView } from "@signalbox/client";

/** An agent whose every line is also written down by itself, before anything of ours has seen it. */
export function recorded(agent: string, folder: string) {
  const path = join(folder, "recorded-agent");
  const record = join(folder, "recorded.ndjson");
  const quoted = [agent, record].map((text) => `'${text.replaceAll("'", "'\\''")}'`);
  const [program, file] = quoted;
  const runsIt = `${program} "$@" | tee -a ${file}`;
  const version = `case "$*" in *--version*) exec ${program} --version;; esac`;
  writeFileSync(path, `#!/bin/sh\n${version}\n${runsIt}\n`);
  chmodSync(path, 0o755);
  return {
    path,
    /** What is said from now on is another session's. */
    forget: () => rmSync(record, { force: true }),
    /** What the hub must have, line by line: all but what is never stored one by one. */
    lines(): string[] {
      if (!existsSync(record)) return [];
      const said = readFileSync(record, "utf8").split("\n").filter(Boolean);
      return said.filter((line) => !/"type":"(?:stream_event|keep_alive)"/.test(line));
    },
  };
}

/** The lines of a session's log, from its beginning. */
export async function readLog(client: HubClient, session: string): Promise<LineView[]> {
  const all: LineView[] = [];
  for (let more = true; more;) {
    const page = await client.lines(session, { after: all.at(-1)?.pos ?? 0, limit: 500 });
    all.push(...page.lines);
    more = page.more;
  }
  return all;
}

/** What the agent itself is stored to have said, long lines too. */
export async function agentLines(client: HubClient, session: string): Promise<string[]> {
  const lines = (await readLog(client, session)).filter(({ from }) => from === "agent");
  return Promise.all(lines.map((line) => getLine(client, line)));
}
export async function getLine(client: HubClient, { text, blob }: LineView): Promise<string> {
  return text ?? (await client.blob(blob ?? "")).text();
}

type SaidAndStored = [said: string[], stored: string[]];
/** The agent may say more after its turn: what is still on its way gets some time to arrive. */
export async function settled(look: () => Promise<SaidAndStored>): Promise<SaidAndStored> {
  for (let looks = 1; ; looks++) {
    const [said, stored] = await look();
    if (said.length === stored.length || looks === 100) return [said, stored];
    await Bun.sleep(50);
  }
}

export interface Difference {
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
}

/** What became of what was said on its way to where it was stored. */
export function difference(said: readonly string[], stored: readonly string[]): Difference {
  const counts = new Map<string, number>();
  for (const line of said) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of stored) counts.set(line, (counts.get(line) ?? 0) - 1);
  const all = [...counts.values()];
  const lost = all.reduce((sum, count) => sum + Math.max(0, count), 0);
  const doubled = all.reduce((sum, count) => sum + Math.max(0, -count), 0);
  // Where nothing is missing and nothing too much, whatever differs stands in another place.
  const moved = stored.filter((line, at) => line !== said[at]).length;
  return { lost, doubled, reordered: lost + doubled > 0 ? 0 : moved };
}
