import { readFileSync } from "node:fs";
import { type HubClient, HubError } from "@signalbox/client";
import { pairDevice } from "@signalbox/testing/paired-device";
import type { Room } from "./room.ts";
import { when } from "./seen.ts";

/** So many approvers, each with a device of its own. */
export async function approvers(room: Room, count: number): Promise<HubClient[]> {
  const all: HubClient[] = [];
  for (let n = 1; n <= count; n++) {
    const { code } = await room.admin.createPairing("approver");
    const { credential } = await pairDevice({ url: room.url, code, name: `approver ${n}` });
    all.push(room.client(room.url, credential));
  }
  return all;
}

/**
 * All answer the same ask at once, half of them with yes and half with no, so many times. How many
 * answers the agent got for each ask, and whether it was the winner's.
 */
export async function answerAtOnce(room: Room, clients: readonly HubClient[], rounds: number) {
  const asks = Array.from({ length: rounds }, (_, n) => ({ ask: `round-${n}` }));
  const { id } = await room.session(asks);
  using board = room.admin.watchBoard();
  const seen = { winners: 0, losers: 0, wrong: 0 };
  const won: string[] = [];
  for (let n = 0; n < rounds; n++) {
    const command = `round-${n}`;
    const open = () =>
      board.view.asks.find(
        ({ session, input }) =>
          session === id && (input as { command: string }).command === command,
      );
    await when(board, () => open() !== undefined);
    const ask = open();
    if (!ask) throw new Error("the ask is gone");
    const answers = clients.map((client, at) => {
      const decision = { behavior: (at + n) % 2 === 0 ? ("allow" as const) : ("deny" as const) };
      return client.answer(ask.id, { hash: ask.hash, decision }).then(
        () => void won.push(`${command} ${decision.behavior}`),
        (failure: unknown) => {
          if (HubError.is(failure, "already-answered")) seen.losers++;
          else seen.wrong++;
        },
      );
    });
    await Promise.all(answers);
  }
  await room.idle(id, 1);
  seen.winners = won.length;
  const reached = readFileSync(room.decisions, "utf8").trim().split("\n");
  return { ...seen, won, reached: reached.filter((line) => line.startsWith("round-")) };
}
