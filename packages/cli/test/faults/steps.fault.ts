import { expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "@signalbox/client";
import { testedAgent } from "@signalbox/testing/tested-agent";
import { readLog } from "./recorder.ts";
import { kill, Room } from "./room.ts";
import { when } from "./seen.ts";

/** What the agent was told about this command, in order. */
function decided(room: Room, command: string): string[] {
  if (!existsSync(room.decisions)) return [];
  const lines = readFileSync(room.decisions, "utf8").trim().split("\n");
  return lines.filter((line) => line.startsWith(`${command} `));
}

test("the hub is killed at each step of an ask: it is shown again where the agent lives, cancelled where it does not, and never allowed by itself", async () => {
  await using room = await Room.open();
  using board = room.admin.watchBoard();
  const { id } = await room.session();
  const open = (command: string) =>
    board.view.asks.find((ask) => (ask.input as { command: string }).command === command);
  const answer = (ask: AskView | undefined) =>
    room.admin.answer(ask?.id ?? "", {
      hash: ask?.hash ?? "",
      decision: { behavior: "allow" },
    });
  let turns = 0;

  // Before the hub has heard of it.
  await room.send(id, [{ wait: 1500 }, { ask: "unheard" }]);
  await when(board, () => board.view.session(id)?.summary.status === "active");
  await room.killHub();
  await Bun.sleep(3000);
  await room.startHub();
  await when(board, () => open("unheard") !== undefined);
  expect(decided(room, "unheard")).toEqual([]);
  await answer(open("unheard"));
  await room.idle(id, ++turns);
  expect(decided(room, "unheard")).toEqual(["unheard allow"]);

  // While it is open.
  await room.send(id, [{ ask: "open" }]);
  await when(board, () => open("open") !== undefined);
  await room.killHub();
  await room.startHub();
  await room.untilRunner();
  expect((await room.admin.asks()).map(({ input }) => input)).toEqual([{ command: "open" }]);
  expect(decided(room, "open")).toEqual([]);
  await answer(open("open"));
  await room.idle(id, ++turns);

  // Answered and stored, and not yet with the agent.
  await room.send(id, [{ ask: "answered" }]);
  await when(board, () => open("answered") !== undefined);
  room.link.cut();
  await room.untilRunner(false);
  await answer(open("answered"));
  await room.killHub();
  await room.startHub();
  expect(decided(room, "answered")).toEqual([]);
  room.link.restore();
  await room.idle(id, ++turns);
  expect(decided(room, "answered")).toEqual(["answered allow"]);

  // Open, and the agent dies while the hub is away.
  await room.send(id, [{ ask: "left behind" }]);
  await when(board, () => open("left behind") !== undefined);
  const left = open("left behind");
  await room.killHub();
  for (const pid of room.agents()) kill(pid, "SIGKILL");
  await room.startHub();
  await when(board, () => board.view.session(id)?.state === "crashed");
  expect(await room.admin.asks()).toEqual([]);
  expect((await room.admin.ask(left?.id ?? "")).status).toBe("cancelled");
  expect(await answer(left).catch((failure: { status: number }) => failure.status)).toBe(409);
  expect(decided(room, "left behind")).toEqual([]);
}, 300_000);

test.each([
  ["its transcript", /^The conversation \S+ could not be taken up again: .+ Start a new one/],
  ["its folder", /^The working folder \S+ cannot be used: it does not exist\./],
  ["both", /^The working folder \S+ cannot be used: it does not exist\./],
] as const)(
  "a conversation that lost %s: a clear sentence after one try, our log is readable, and a new one can begin",
  async (what, sentence) => {
    await using room = await Room.open();
    await room.useAgent(testedAgent);
    using board = room.admin.watchBoard();
    const { id } = await room.session("Hello.\n::say First.");
    await room.idle(id, 1);
    await room.admin.park(id);
    if (what !== "its folder") {
      rmSync(join(room.place, "home/.claude/projects"), { recursive: true, force: true });
    }
    if (what !== "its transcript") renameSync(room.folder, `${room.folder}-gone`);
    await room.admin.send(id, { text: "Again.\n::say Second." }).catch(() => {});
    await when(board, () => board.view.session(id)?.state === "crashed");
    const view = await room.admin.session(id);
    console.log(JSON.stringify({ problem: view.problem }));
    expect(view.problem).toMatch(sentence);
    const ends = (await readLog(room.admin, id)).filter(({ text }) =>
      text?.includes('"run_ended"'),
    );
    expect(ends).toHaveLength(2); // it was parked, and tried once
    expect((await room.admin.items(id)).items.length).toBeGreaterThan(1);
    expect(room.agents()).toEqual([]);
    if (what !== "its transcript") renameSync(`${room.folder}-gone`, room.folder);
    await room.admin.retry(id, { fresh: true }).catch(() => room.admin.wake(id));
    await when(board, () => JSON.stringify(board.view.session(id)?.summary).includes('"idle"'));
  },
  300_000,
);
