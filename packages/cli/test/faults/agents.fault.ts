import { expect, test } from "bun:test";
import { chance, seed } from "./chance.ts";
import { readProcessFile, percentile, rssMb } from "@signalbox/testing/process-facts";
import { type Difference, difference, getLine, readLog } from "./recorder.ts";
import { talkingAgent } from "@signalbox/testing/programs";
import { kill, Room } from "./room.ts";
import { freshItems, when } from "./seen.ts";
import { until } from "@signalbox/testing/until";

/** The agent itself, without what it has started. */
function leaders(room: Room): number[] {
  return room.agents().filter((pid) => {
    const line = readProcessFile(pid, "cmdline");
    return line.includes(talkingAgent) && !line.includes("--version");
  });
}
test("an agent that is killed at 200 random moments: told within a second, its asks closed, nothing left, never run again by itself", async () => {
  const random = chance(seed);
  await using room = await Room.open();
  using board = room.admin.watchBoard();
  const { id } = await room.session();
  const times: number[] = [];
  const steps = [{ spawn: ["sleep", "1000"] }, { stream: 100, everyMs: 2 }, { ask: "x" }];
  for (let round = 0; round < 200; round++) {
    expect(room.agents()).toEqual([]);
    await room.send(id, steps);
    await when(board, () => board.view.session(id)?.state !== "crashed");
    await until(() => leaders(room).length > 0);
    await Bun.sleep(random() * 700);
    for (const agent of leaders(room)) kill(agent, "SIGKILL");
    const since = performance.now();
    await when(board, () => board.view.session(id)?.state === "crashed");
    await when(board, () => board.view.asks.every(({ session }) => session !== id));
    await until(() => room.agents().length === 0);
    times.push(performance.now() - since);
    const view = await room.admin.session(id);
    expect(view).toMatchObject({ state: "crashed", openAsks: 0 });
    expect(view.problem).toContain("killed by SIGKILL");
    // What the run did not get is not given to the next one behind the person's back.
    for (const { id: prompt, status } of view.queue) {
      if (status === "waiting") await room.admin.withdrawPrompt(id, prompt);
    }
  }
  const items = await freshItems(room.client(), id);
  // Nothing seems to go on, and each turn that broke off says that it did, and by which signal.
  expect(items.filter((item) => "live" in item && item.live)).toEqual([]);
  const marks = items.filter((item) => JSON.stringify(item).includes("killed by SIGKILL"));
  expect(marks).toHaveLength(times.length);
  const stored = (await readLog(room.admin, id)).filter(({ from }) => from === "agent");
  const troubles: Difference[] = [];
  for (const lines of Map.groupBy(stored, ({ run }) => run).values()) {
    const all = await Promise.all(lines.map((line) => getLine(room.admin, line)));
    const texts = all.filter((line) => line.includes('"session_id"'));
    if (texts.length === 0) continue; // killed before it said a word
    const conversation = (JSON.parse(texts[0] ?? "{}") as { session_id: string }).session_id;
    // It writes down first and says then: of what it was killed over, one line may be written only.
    const said = room.said(conversation);
    const found = difference(said.slice(0, Math.max(texts.length, said.length - 1)), texts);
    if (found.lost + found.doubled + found.reordered > 0) troubles.push(found);
  }
  expect(troubles).toEqual([]);
  const runs = new Set(stored.map(({ run }) => run)).size;
  const slowestMs = Math.round(Math.max(...times));
  const figures = { kills: times.length, runs, p50Ms: percentile(times, 0.5), slowestMs };
  console.log(JSON.stringify({ seed, ...figures }));
  expect(runs).toBeLessThanOrEqual(times.length); // none began by itself
  expect(slowestMs).toBeLessThanOrEqual(1000);
}, 1_800_000);

test("an agent that hangs is called silent, what is sent to it does not pile up, and stop ends it by the ladder", async () => {
  await using room = await Room.open();
  using board = room.admin.watchBoard();
  const { id } = await room.session([{ stream: 20 }, { wait: 1_000_000 }]);
  await when(board, () => board.view.session(id)?.summary.status === "active");
  await until(() => leaders(room).length > 0);
  const [agent = 0] = leaders(room);
  kill(agent, "SIGSTOP");
  const before = rssMb(room.runner.pid);
  // 200 MB, into the turn that runs.
  for (let n = 0; n < 10; n++) {
    await room.admin.send(id, { text: "x".repeat(19_999_999), now: true });
  }
  await when(board, () => board.view.session(id)?.silentSince !== undefined);
  const grownMb = rssMb(room.runner.pid) - before;
  console.log(JSON.stringify({ runnerGrownMb: grownMb, hubMb: rssMb(room.hub.pid) }));
  const since = performance.now();
  await room.admin.stop(id);
  await when(board, () => board.view.session(id)?.state === "stopped");
  console.log(JSON.stringify({ stoppedMs: Math.round(performance.now() - since) }));
  expect(room.agents()).toEqual([]);
  // One message of 20 MB, in each of the forms that it takes on its way; ten of them would be 200 MB and more.
  expect(grownMb).toBeLessThan(150);
}, 600_000);

test("a runner that is killed at 30 random moments: its agents are gone when the next one is there, never two on one conversation", async () => {
  const random = chance(seed + 1);
  await using room = await Room.open();
  using board = room.admin.watchBoard();
  const { id } = await room.session();
  for (let round = 0; round < 30; round++) {
    await room.send(id, [{ spawn: ["sleep", "1000"] }, { stream: 100, everyMs: 2 }, { ask: "x" }]);
    await when(board, () => board.view.session(id)?.state === "running");
    await until(() => leaders(room).length > 0);
    await Bun.sleep(random() * 500);
    await room.killRunner();
    const since = performance.now();
    room.startRunner();
    await when(board, () => board.view.session(id)?.state === "crashed");
    expect(room.agents()).toEqual([]);
    expect(performance.now() - since).toBeLessThan(10_000);
    expect((await room.admin.session(id)).openAsks).toBe(0);
    for (const { id: prompt, status } of (await room.admin.session(id)).queue) {
      if (status === "waiting") await room.admin.withdrawPrompt(id, prompt);
    }
  }
}, 1_200_000);
