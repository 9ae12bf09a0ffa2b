import { expect, test } from "bun:test";
import { join } from "node:path";
import type { AskView } from "@signalbox/client";
import { testedAgent } from "@signalbox/testing/tested-agent";
import { chance, seed } from "./chance.ts";
import { agentLines, difference, recorded } from "./recorder.ts";
import { insist, Room } from "./room.ts";
import { freshItems, shown, getText, when } from "./seen.ts";

const KILLS = Number(process.env["KILLS"] ?? 200);
const turnText = (n: number) =>
  `Turn ${n}.\n::flood 60 40\n::tool Bash {"command":"echo ${n} >> made.txt"}\n::flood 40 40\n::say Over ${n}.`;

/** Kills the hub, or cuts its link to the runner, at random moments, so many times. */
async function mischief(room: Room, random: () => number, times: number) {
  const done = { hub: 0, link: 0 };
  for (let n = 0; n < times; n++) {
    await Bun.sleep(random() * 1500);
    if (random() < 0.25) {
      room.link.cut();
      await Bun.sleep(random() * 1000);
      room.link.restore();
      done.link++;
    } else {
      await room.killHub();
      await Bun.sleep(random() * 200);
      await room.startHub();
      done.hub++;
    }
  }
  return done;
}

test(`the hub killed or cut off at ${KILLS} random moments of real turns: nothing is lost, doubled or reordered`, async () => {
  const random = chance(seed);
  await using room = await Room.open();
  const agent = recorded(testedAgent, room.place);
  await room.useAgent(agent.path);
  const viewer = room.client();
  using board = viewer.watchBoard();
  const { id } = await room.session("Hello.\n::say Here.");
  using watch = viewer.watchSession(id);
  await room.idle(id, 1);

  const state = { over: false };
  const troubles = mischief(room, random, KILLS).finally(() => (state.over = true));
  const allowed: number[] = [];
  let turns = 1;
  for (let n = 1; !state.over; n++) {
    const command = crypto.randomUUID();
    await insist(() => room.send(id, turnText(n), command));
    const open = () =>
      board.view.asks.find((ask) => JSON.stringify(ask.input).includes(`echo ${n} `));
    await when(board, () => open() !== undefined);
    const { id: ask, hash } = open() as AskView;
    const allow = random() < 0.7;
    const decision = allow
      ? { behavior: "allow" as const }
      : { behavior: "deny" as const, message: "No." };
    const answer = crypto.randomUUID();
    await insist(() => viewer.answer(ask, { hash, decision }, { command: answer }));
    if (allow) allowed.push(n);
    await room.idle(id, ++turns);
  }
  const done = await troubles;
  await room.untilRunner();
  await room.idle(id, turns);

  const made = (await Bun.file(join(room.folder, "made.txt")).text()).trim().split("\n");
  const stored = await agentLines(room.admin, id);
  const found = difference(agent.lines(), stored);
  const seen = await shown(watch);
  console.log(JSON.stringify({ seed, kills: done, turns, lines: stored.length, ...found }));
  expect(found).toEqual({ lost: 0, doubled: 0, reordered: 0 });
  expect(made.map(Number)).toEqual(allowed);
  const overs = [...getText(seen).matchAll(/Over (\d+)\./g)].map(([, n]) => Number(n));
  expect(overs).toEqual(Array.from({ length: turns - 1 }, (_, at) => at + 1));
  const floods = seen.flatMap((item) =>
    item.kind === "text" && item.text.startsWith("w1 ") ? [item.text] : [],
  );
  for (const [at, text] of floods.entries()) {
    const words = at % 2 === 0 ? 60 : 40;
    expect(text.trim().split(" ")).toEqual(Array.from({ length: words }, (_, n) => `w${n + 1}`));
  }
  expect(floods.length).toBe(2 * (turns - 1));
  expect(seen).toEqual(await freshItems(room.client(), id));
  expect((await room.admin.audit({ verify: true })).verified).toMatchObject({ broken: null });
}, 3_600_000);
