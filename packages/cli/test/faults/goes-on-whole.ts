import { expect } from "bun:test";
import { agentLines, difference } from "./recorder.ts";
import type { Room } from "./room.ts";
import { freshItems } from "./seen.ts";

/** After a fault of the disk: all that the agent said is stored, once and in order, and the session goes on. */
export async function goesOnWhole(room: Room, id: string, nextTurn: number): Promise<void> {
  const stored = (await agentLines(room.admin, id)).filter((line) => line.includes('"session_id"'));
  const conversation = (JSON.parse(stored[0] ?? "{}") as { session_id: string }).session_id;
  const none = { lost: 0, doubled: 0, reordered: 0 };
  expect(difference(room.said(conversation), stored)).toEqual(none);
  await room.send(id, [{ tell: "after it" }]);
  await room.idle(id, nextTurn);
  expect(JSON.stringify(await freshItems(room.client(), id))).not.toContain("too late");
}
