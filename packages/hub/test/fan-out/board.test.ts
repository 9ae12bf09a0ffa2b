import { expect, setDefaultTimeout, test } from "bun:test";
import type { AskView, HubFrame, ProjectView } from "@signalbox/api";
import type { Engine, SessionSummary } from "@signalbox/hub/engine";
import { BoardView as ClientBoard } from "@signalbox/client";
import { diffSession, isQuiet } from "../../src/fan-out/session-patch.ts";
import { pickColor } from "../../src/session/session-color.ts";
import { Bench, desk } from "../session/bench.ts";
import { until } from "../session/fake-runner.ts";
import { init, result, said } from "../session/speech.ts";

setDefaultTimeout(180_000);

type BoardFrame = Extract<HubFrame, { type: "board" }>;

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

test("[HB18] a project names its Git branch, and the machine is asked again after a turn", async () => {
  await using bench = await Bench.open();
  const board = new BoardView(bench.engine);
  const runner = await bench.runner();
  let branch = "main";
  runner.carryOut = (order) =>
    order.kind === "read-branch" ? { result: { branch } } : runner.usual(order);
  const id = await bench.running(runner);
  await until(() => board.projects[0]?.branch === "main");
  expect(runner.orders("read-branch")).toMatchObject([{ folder: bench.folder }]);
  branch = "fix/cart";
  runner.say(id, init(), said("m", "done"), result());
  await until(() => board.projects[0]?.branch === "fix/cart");
  expect(bench.engine.sessions.listProjects()).toMatchObject([{ branch: "fix/cart" }]);
  expect(runner.orders("read-branch")).toHaveLength(2);
});

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

test("[HB130] a client that understands patches is sent the changes of a session alone, and ends with the same board", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const whole = new BoardView(bench.engine);
  const view = new ClientBoard();
  const frames: BoardFrame[] = [];
  const channel = bench.engine.clients.connect((text) => {
    const frame = JSON.parse(text) as HubFrame;
    if (frame.type !== "board") return;
    frames.push(frame);
    view.apply(frame);
    channel.acknowledge(Number.MAX_SAFE_INTEGER);
  });
  channel.watchBoard(true);
  await until(() => frames.length === 1 && whole.frames === 1);
  await bench.engine.sessions.change(id, { pinned: true, title: "one" }, desk);
  await until(() => whole.sessions.get(id)?.pinned === true); // the first change has no base to differ from
  await bench.engine.sessions.change(id, { pinned: false }, desk);
  await until(() => view.session(id)?.pinned === false);
  const last = frames.at(-1);
  expect(last?.sessions).toEqual([]);
  expect(last?.patches).toEqual([{ id, set: expect.objectContaining({ pinned: false }) }]);
  expect(last?.projects).toBeUndefined();
  await until(() => whole.sessions.get(id)?.pinned === false);
  expect(view.session(id)).toEqual(whole.sessions.get(id));

  runner.say(id, init(), said("m", "working"));
  await until(() => view.session(id)?.summary.lastText === "working");
  runner.leave();
  await until(() => view.session(id)?.state === "unreachable");
  await until(() => whole.sessions.get(id)?.state === "unreachable");
  expect(view.session(id)).toEqual(whole.sessions.get(id));
});

test("[HB130] what changed while nobody followed the board is not missing from the next patch", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const first = new ClientBoard();
  const connect = (view: ClientBoard) => {
    const channel = bench.engine.clients.connect((text) => {
      const frame = JSON.parse(text) as HubFrame;
      if (frame.type === "board") view.apply(frame);
      channel.acknowledge(Number.MAX_SAFE_INTEGER);
    });
    channel.watchBoard(true);
    return channel;
  };
  const leaving = connect(first);
  await until(() => first.state === "ready");
  await bench.engine.sessions.change(id, { pinned: true }, desk);
  await until(() => first.session(id)?.pinned === true);
  leaving.close();
  await bench.engine.sessions.change(id, { pinned: false, title: "away" }, desk);
  const second = new ClientBoard();
  connect(second);
  await until(() => second.session(id)?.title === "away");
  await bench.engine.sessions.change(id, { pinned: true, title: "back" }, desk);
  await until(() => second.session(id)?.title === "back");
  expect(second.session(id)?.pinned).toBe(true);
});

test("[HB131] that a session is still active alone is sent at most every three seconds", () => {
  const listed = { id: "a", summary: { status: "working" } } as unknown as SessionSummary;
  const active = { ...listed, rev: 2, summary: { ...listed.summary, lastActivityAt: 5 } };
  expect(isQuiet(diffSession(listed, active as SessionSummary))).toBe(true);
  const done = { ...active, summary: { ...active.summary, status: "idle" } };
  expect(isQuiet(diffSession(active as SessionSummary, done as SessionSummary))).toBe(false);
  const { rev: _, ...shorter } = active;
  expect(isQuiet(diffSession(active as SessionSummary, shorter as SessionSummary))).toBe(false);
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
