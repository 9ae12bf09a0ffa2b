import { agentLines, type Difference, difference } from "./recorder.ts";
import type { Room } from "./room.ts";
import { freshItems, shown, when } from "./seen.ts";

/**
 * Cuts the link between runner and hub for a time, in a turn in which a permission is open and another
 * session speaks on. What became of the lines; throws where something else went wrong.
 */
export async function cutLink(room: Room, ms: number): Promise<Difference & { lines: number }> {
  const viewer = room.client();
  using board = viewer.watchBoard();
  const everyMs = 5;
  const asking = await room.session([{ stream: 50 }, { ask: "cut" }, { stream: 50 }]);
  const speaking = await room.session([{ stream: ms / everyMs / 2, everyMs }, { lines: 500 }]);
  const watches = [asking, speaking].map(({ id }) => viewer.watchSession(id));
  const ask = () => board.view.asks.find(({ session }) => session === asking.id);
  await when(board, () => ask() !== undefined);
  await when(watches[1] ?? board, () => (watches[1]?.view.ids.length ?? 0) > 1);
  room.link.cut();
  await when(board, () => board.view.session(speaking.id)?.state === "unreachable");
  await Bun.sleep(ms);
  const open = ask();
  if (open?.status !== "open") throw new Error("the permission did not stay open");
  // Accepted while the runner is away: it waits in the store.
  await viewer.answer(open.id, { hash: open.hash, decision: { behavior: "allow" } });
  room.link.restore();
  await room.idle(asking.id, 1);
  await room.idle(speaking.id, 1);
  const sums = { lost: 0, doubled: 0, reordered: 0, lines: 0 };
  for (const [at, { id }] of [asking, speaking].entries()) {
    const all = await agentLines(room.admin, id);
    const stored = all.filter((line) => line.includes('"session_id"'));
    const conversation = (JSON.parse(stored[0] ?? "{}") as { session_id: string }).session_id;
    const found = difference(room.said(conversation), stored);
    sums.lost += found.lost;
    sums.doubled += found.doubled;
    sums.reordered += found.reordered;
    sums.lines += stored.length;
    const watch = watches[at];
    if (!watch) continue;
    const { rev } = await room.admin.session(id);
    await when(watch, () => watch.view.cursor?.rev === rev);
    const [mine, theirs] = [await shown(watch), await freshItems(room.client(), id)];
    if (!Bun.deepEquals(mine, theirs))
      throw new Error("a viewer shows other items than a newcomer");
    watch.close();
  }
  return sums;
}
