import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { answerAtOnce, approvers } from "./faults/answer-at-once.ts";
import { cutLink } from "./faults/cut-link.ts";
import { Room } from "./faults/room.ts";

setDefaultTimeout(180_000);

let room: Room;
beforeAll(async () => void (room = await Room.open()));
afterAll(() => room[Symbol.asyncDispose]());

/** Short forms of what `npm run test:faults` does for longer. */
describe("with the hub, the runner and the agents as processes", () => {
  test("a link that is cut for a moment loses, doubles and reorders nothing, and an ask stays open", async () => {
    const found = await cutLink(room, 1000);
    expect(found).toMatchObject({ lost: 0, doubled: 0, reordered: 0 });
    expect(found.lines).toBeGreaterThan(500);
  });

  test("fifty approvers answer each ask at once: one wins, and the agent gets that one answer", async () => {
    const { won, reached, ...seen } = await answerAtOnce(room, await approvers(room, 50), 20);
    expect(seen).toEqual({ winners: 20, losers: 20 * 49, wrong: 0 });
    expect(reached).toEqual(won);
  });
});
