import { expect, test } from "bun:test";
import type { TerminalView } from "@signalbox/api";
import { Bench } from "./bench.ts";
import { FakeRunner, until } from "./fake-runner.ts";

test("[TM13] another machine shows no terminal beside a session that is not on it, nor in another's place", async () => {
  await using bench = await Bench.open();
  const near = await bench.runner();
  const far = await new FakeRunner(bench.engine, crypto.randomUUID(), false).hello();
  const here = await bench.running(near);
  const there = (await bench.create({ folder: "/", runner: far.id })).id;
  const view = (id: string, session: string): TerminalView => {
    const size = { cols: 80, rows: 24 };
    return { id, session, kind: "shell", name: "Shell 1", folder: "/", startedAt: 1, ...size };
  };
  const [mine, false1, own] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  near.frame({ type: "terminals", terminals: [view(mine, here)] });
  await until(() => bench.engine.terminals.list().length === 1);
  const terminals = [view(mine, there), view(false1, here), view(own, there)];
  far.frame({ type: "terminals", terminals });
  await until(() => bench.engine.terminals.list().some(({ id }) => id === own));
  const listed = bench.engine.terminals.list().map(({ id, session }) => [id, session]);
  expect(listed).toEqual([
    [mine, here],
    [own, there],
  ]);
  bench.engine.terminals.resize(mine, 90, 25);
  expect(near.of("terminal-resize")).toMatchObject([{ terminal: mine }]);
  expect(far.of("terminal-resize")).toEqual([]);
});

test("[TM14] however often viewers ask for a terminal, its runner is asked once for a snapshot", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const session = await bench.running(runner);
  const id = crypto.randomUUID();
  const size = { cols: 80, rows: 24 };
  const view = { id, session, kind: "shell", name: "Shell 1", folder: "/", startedAt: 1 } as const;
  runner.frame({ type: "terminals", terminals: [{ ...view, ...size }] });
  await until(() => bench.engine.terminals.list().length === 1);
  const got: string[][] = [[], []];
  const viewers = got.map((frames) =>
    bench.engine.clients.connect((text) => void frames.push(text)),
  );
  for (let nth = 0; nth < 1000; nth++) for (const viewer of viewers) viewer.watchTerminal(id);
  expect(runner.of("terminal-watch").length).toBe(1);
  const place = { terminal: id, instance: "i", epoch: "e", at: 0 };
  const snapshot = { type: "terminal-snapshot", ...place, ...size } as const;
  runner.frame({ ...snapshot, text: "the screen" });
  await until(() => got.every((frames) => frames.length === 1));
  viewers[0]?.watchTerminal(id);
  expect(runner.of("terminal-watch").length).toBe(2);
  runner.frame({ ...snapshot, text: "the screen" });
  await until(() => got[0]?.length === 2);
  expect(got[1]?.length).toBe(1);
  for (const viewer of viewers) viewer.close();
});
