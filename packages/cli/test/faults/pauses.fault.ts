import { expect, test } from "bun:test";
import { join } from "node:path";
import { Room } from "./room.ts";
import { freshItems, when } from "./seen.ts";
import { until } from "@signalbox/testing/until";

const PAUSE_MS = 45_000;

/** A client in a process of its own: prints the revision that it shows whenever that changes. */
function openViewer(room: Room, session: string) {
  const script = join(import.meta.dir, "viewer-process.ts");
  const child = Bun.spawn([process.execPath, script], {
    stdin: new Blob([JSON.stringify({ url: room.url, token: room.desk.text, session })]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const state = { rev: 0 };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      for (const line of decoder.decode(chunk).trim().split("\n")) state.rev = Number(line);
    }
  })();
  return { child, state };
}

test.each([
  ["the hub", true, false],
  ["a client", false, true],
  ["both", true, true],
])(
  "%s asleep for longer than any time-out: no agent is ended, and all is caught up soon",
  async (_, hubSleeps, clientSleeps) => {
    await using room = await Room.open();
    using board = room.admin.watchBoard();
    const { id } = await room.session([{ tell: "begin" }]);
    await room.idle(id, 1);
    const { child, state } = openViewer(room, id);
    try {
      await until(() => state.rev !== 0);
      const agents = room.agents();
      await room.send(id, [{ stream: 500, everyMs: 20 }, { tell: "the end" }]);
      await when(board, () => board.view.session(id)?.summary.status === "active");
      if (hubSleeps) room.hub.kill("SIGSTOP");
      if (clientSleeps) child.kill("SIGSTOP");
      await Bun.sleep(PAUSE_MS);
      if (hubSleeps) room.hub.kill("SIGCONT");
      if (clientSleeps) child.kill("SIGCONT");
      const since = performance.now();
      await room.idle(id, 2);
      const { rev } = await room.admin.session(id);
      await until(() => state.rev >= rev);
      const caughtUpMs = Math.round(performance.now() - since);
      console.log(JSON.stringify({ caughtUpMs }));
      expect(caughtUpMs).toBeLessThan(3000);
      expect(room.agents()).toEqual(agents);
      const items = await freshItems(room.client(), id);
      expect(items.some((item) => item.kind === "text" && item.text === "the end")).toBe(true);
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
  },
  300_000,
);
