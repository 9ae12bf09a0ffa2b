import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NewSession, Session } from "@signalbox/client";
import type { HubStage } from "@signalbox/testing/hub-stage";

const readerTest = `import { expect, test } from "bun:test";
import { openReader } from "./reader.ts";

test("a line that was written is read", async () => {
  const reader = openReader("pipe");
  await write("pipe", "hello\\n");
  await sleep(20);
  expect(reader.lines).toEqual(["hello"]);
});
`;

const limit = `/** How long a line may be, in characters. */
export const LIMIT = 65536;

export function fits(line: string): boolean {
  return line.length <= LIMIT;
}
`;

/** What the sessions of the pictures are about, and where each of them stands when they are taken. */
const wanted = [
  {
    project: "atlas",
    title: "Count bytes, not characters",
    policy: "accept-edits",
    colour: "violet",
    until: "idle",
  },
  { project: "harbour", title: "Ask the gateway for the quota", colour: "olive", until: "idle" },
  {
    project: "harbour",
    title: "Split the sync module",
    mode: "plan",
    colour: "pink",
    until: "ask",
  },
  { project: "harbour", title: "New format for the settings", colour: "orange", until: "ask" },
  {
    project: "atlas",
    title: "Mend the flaky reader test",
    policy: "accept-edits",
    colour: "blue",
    until: "ask",
  },
  // The last: it works on without a word, and after half a minute the page says so.
  { project: "atlas", title: "Speed up the importer", colour: "teal", until: "active" },
] as const;

export type Sessions = ReadonlyMap<string, string>;

/** Starts them with the real agent, one after the other; gives their ids by title. */
export async function startSessions({ admin }: HubStage, folder: string): Promise<Sessions> {
  for (const project of ["atlas", "harbour"]) mkdirSync(join(folder, project), { recursive: true });
  writeFileSync(join(folder, "atlas/reader.test.ts"), readerTest);
  writeFileSync(join(folder, "atlas/limit.ts"), limit);
  const ids = new Map<string, string>();
  for (const { project, title, colour, until, ...options } of wanted) {
    const session: NewSession = {
      folder: join(folder, project),
      title,
      prompt: { text: `${title}, please.` },
      ...options,
    };
    const { id } = await admin.createSession(session);
    await admin.changeSession(id, { colour }); // by its id it would be another every time
    await reached(admin, id, until);
    ids.set(title, id);
  }
  return ids;
}

function reached(
  hub: HubStage["admin"],
  id: string,
  until: (typeof wanted)[number]["until"],
): Promise<void> {
  const board = hub.watchBoard();
  const stands = ({ openAsks, summary, queue }: Session) => {
    if (until === "ask") return openAsks > 0;
    if (until === "active") return summary.costUsd > 0 || summary.status === "active";
    return summary.status === "idle" && queue.length === 0 && summary.turns > 0;
  };
  return new Promise((resolve) => {
    const look = () => {
      const session = board.view.session(id);
      if (!session || !stands(session)) return;
      board[Symbol.dispose]();
      resolve();
    };
    board.subscribe(look);
    look();
  });
}
