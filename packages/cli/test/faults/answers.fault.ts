import { expect, test } from "bun:test";
import { answerAtOnce, approvers } from "./answer-at-once.ts";
import { Room } from "./room.ts";

const ROUNDS = 1000;

test("fifty approvers answer each ask at once, a thousand times: the agent gets one answer each", async () => {
  await using room = await Room.open();
  const clients = await approvers(room, 50);
  const { won, reached, ...seen } = await answerAtOnce(room, clients, ROUNDS);
  console.log(JSON.stringify({ rounds: ROUNDS, reached: reached.length, ...seen }));
  expect(seen).toEqual({ winners: ROUNDS, losers: ROUNDS * 49, wrong: 0 });
  expect(reached).toEqual(won);
}, 3_600_000);
