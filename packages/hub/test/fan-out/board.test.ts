import { expect, setDefaultTimeout, test } from "bun:test";
import type { AskView, HubFrame, ProjectView } from "@signalbox/api";
import type { Engine, SessionSummary } from "@signalbox/hub/engine";
import { pickColor } from "../../src/session/session-color.ts";
import { Bench, desk } from "../session/bench.ts";
import { until } from "../session/fake-runner.ts";
import { init, said } from "../session/speech.ts";

setDefaultTimeout(180_000);

/** A client's board, put together from frames. */
class BoardView {
  readonly sessions = new Map<string, SessionSummary>();
  readonly asks = new Map<string, AskView>();
  projects: readonly ProjectView[] = [];
  frames = 0;
  received = 0;
  slow = false;
  readonly subscriber: ReturnType<Engine["clients"]["connect"]>;

  constructor(engine: Engine, slow = false) {
    this.slow = slow;
    this.subscriber = engine.clients.connect((text) => this.#apply(text));
    this.subscriber.watchBoard();
  }

  #apply(text: string): void {
    this.received += text.length;
    const frame = JSON.parse(text) as HubFrame;
    if (frame.type === "board") {
      this.frames++;
      if (frame.reset) this.sessions.clear();
      for (const view of frame.sessions) this.sessions.set(view.id, view);
      for (const id of frame.gone) this.sessions.delete(id);
      for (const ask of frame.asks) {
        if (ask.status === "open") this.asks.set(ask.id, ask);
        else this.asks.delete(ask.id);
      }
      this.projects = frame.projects ?? this.projects;
    }
    if (!this.slow) queueMicrotask(() => this.subscriber.acknowledge(this.received));
  }
}

test("[HB18] the board reports each change of sessions and asks, and counts the sessions of a folder", async () => {
  await using bench = await Bench.open();
  const board = new BoardView(bench.engine);
  await until(() => board.frames === 1);
  const runner = await bench.runner();
  const one = await bench.running(runner);
  const two = await bench.running(runner, { title: "two" });
  await until(() => board.sessions.get(two)?.state === "running");
  expect(board.projects).toMatchObject([
    { folder: bench.folder, name: "work", sessions: 2, working: 0, waiting: 0 },
  ]);
  runner.say(one, init(), said("m", "working"));
  runner.ask(two, "a");
  const ask = await bench.ask(two);
  await until(() => board.asks.has(ask.id) && board.projects[0]?.working === 1);
  expect(board.projects[0]).toMatchObject({ sessions: 2, working: 1, waiting: 1 });
  expect(board.sessions.get(two)?.openAsks).toBe(1);

  await bench.engine.asks.answer(ask.id, { hash: ask.hash, decision: { behavior: "deny" } }, desk);
  await bench.engine.sessions.change(one, { pinned: true, title: "one", colour: "teal" }, desk);
  await until(() => board.asks.size === 0 && board.sessions.get(one)?.pinned === true);
  expect(board.sessions.get(one)).toMatchObject({
    title: "one",
    named: true,
    colour: "teal",
  });
  runner.leave();
  await until(() => board.sessions.get(one)?.state === "unreachable");

  await bench.engine.sessions.change(two, { archived: true }, desk);
  await until(() => board.projects[0]?.sessions === 1);
  await bench.engine.sessions.delete(one, desk);
  await until(() => !board.sessions.has(one) && board.projects.length === 0);
  const late = new BoardView(bench.engine);
  await until(() => late.frames === 1);
  expect([...late.sessions.values()]).toEqual([...board.sessions.values()]);
});

test("[HB18] an ask of a deleted session leaves every board", async () => {
  await using bench = await Bench.open();
  const board = new BoardView(bench.engine);
  const runner = await bench.runner();
  const id = await bench.running(runner);
  runner.ask(id, "a");
  const ask = await bench.ask(id);
  await until(() => board.asks.has(ask.id));
  runner.leave();
  await bench.engine.sessions.delete(id, desk);
  await until(() => board.asks.size === 0 && board.sessions.size === 0);
  expect(bench.engine.asks.list()).toEqual([]);
});

test("[HB19] a board whose client was behind gets the complete state when it is under the limit again", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const slow = new BoardView(bench.engine, true);
  const quick = new BoardView(bench.engine);
  await until(() => slow.frames === 1 && quick.frames === 1);
  runner.say(id, said("m", "z".repeat(30_000)));
  await bench.stored(runner, id);
  await until(() => (slow.sessions.get(id)?.rev ?? 0) >= bench.engine.sessions.get(id).rev);
  const page = 256 * 1024; // for less room than this no page is read
  while (slow.received + page < 1024 * 1024) {
    slow.subscriber.watch(id); // each time the newest page again
    const { received } = slow;
    await until(() => slow.received > received);
  }
  const { frames } = slow;
  const title = "news".padEnd(2 * page, "!"); // more than there is room for
  await bench.engine.sessions.change(id, { title }, desk);
  const { frames: boards } = quick;
  await bench.engine.sessions.change(id, { pinned: true }, desk);
  // The board tells all of its clients at once: this one came after the news that did not fit.
  await until(() => quick.frames > boards && quick.sessions.get(id)?.pinned === true);
  expect(slow.frames).toBe(frames);
  slow.slow = false;
  slow.subscriber.acknowledge(slow.received);
  await until(() => slow.sessions.get(id)?.title === title);
});

test("[HB63] a session has a color derived from its id until a person chooses one, and a fork has its own", async () => {
  await using bench = await Bench.open();
  const made = new Set<string>();
  for (let nth = 0; nth < 64; nth++) made.add(pickColor(crypto.randomUUID()));
  expect(made.size).toBeGreaterThan(4);
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const colour = () => bench.engine.sessions.get(id).colour;
  expect(colour()).toBe(pickColor(id));
  const other = colour() === "teal" ? "pink" : "teal";
  await bench.engine.sessions.change(id, { colour: other }, desk);
  expect(colour()).toBe(other);
  expect((await bench.store.sessions()).map((row) => row.colour)).toEqual([other]);
  runner.say(id, init());
  await bench.stored(runner, id);
  const fork = await bench.engine.sessions.fork(id, crypto.randomUUID(), {}, desk);
  expect(fork.colour).toBe(pickColor(fork.id));
});
