import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { advance, createTimeline, type TimelineState } from "@signalbox/timeline";
import { joinState, parseIdPage, formatIdPage, splitState } from "@signalbox/timeline/state";
import * as fc from "fast-check";
import { recordings } from "@signalbox/testing/recordings";
import { assistant, logLine, play, type Played, result, runEnded, type Said } from "./play.ts";

setDefaultTimeout(180_000);

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}

const stories = [...recordings()];
/** As it is written down: the pages of the memory, which are large, are written apart. */
const written = ({ state, events, items }: Played): string =>
  JSON.stringify({ state: splitState(state).rest, events, items });
const saved = (played: Played): Played => {
  const again = JSON.parse(written(played)) as Played;
  const pages = splitState(played.state).pages.entries();
  return { ...again, state: joinState(again.state, new Map(pages)) };
};

/** The same story once more, said anew: other uuids, and the same ids of messages, calls, hooks and tasks. */
const renamedLines = ({ from, text }: Said): Said => ({
  from,
  text: text.replaceAll(/"uuid":"[0-9a-f]{8}/g, (id) => `${id.slice(0, -4)}beef`),
});

describe("any log", () => {
  test("[TL40] reduced again gives the same items, byte for byte", () => {
    for (const [story, said] of stories) {
      expect(JSON.stringify(play(said)), story).toBe(JSON.stringify(play(said)));
    }
  });

  test("[TL41] cut anywhere, stored and taken up again, gives the same items", () => {
    for (const [story, said] of stories) {
      const whole = written(play(said));
      fc.assert(
        fc.property(fc.nat(said.length), fc.nat(said.length), (a, b) => {
          const [first, second] = a < b ? [a, b] : [b, a];
          let played = saved(play(said.slice(0, first)));
          played = saved(play(said.slice(first, second), played));
          expect(written(play(said.slice(second), played)), story).toBe(whole);
        }),
        { numRuns: 12 },
      );
    }
  });

  test("[TL41] all of it as text, at twenty places, the memory's pages in either of their forms", () => {
    const text = { type: "text", text: "x" };
    const long = Array.from({ length: 100 }, (_, at) => assistant(`old-${at}`, text));
    const begun = play([...long, result()]); // so that there is something on the pages
    const plain = (state: TimelineState) => JSON.parse(JSON.stringify(state)) as TimelineState;
    const stored = (state: TimelineState) => {
      const { rest, pages } = splitState(state);
      const texts = pages.map((page, at) => [at, parseIdPage(formatIdPage(page))] as const);
      return joinState(plain(rest), new Map(texts));
    };
    for (const [story, said] of stories.filter((_, at) => at % 6 === 0)) {
      const whole = JSON.stringify(play(said, begun));
      for (const taken of [plain, stored]) {
        let played = begun;
        for (let cut = 0; cut < 20; cut++) {
          const [from, to] = [cut, cut + 1].map((part) => Math.floor((said.length * part) / 20));
          const next = play(said.slice(from, to), played);
          played = { ...next, state: taken(next.state) };
        }
        expect(JSON.stringify(played), story).toBe(whole);
      }
    }
  });

  test("[TL41] the state of a version that remembered less of each message is gone on with", () => {
    const text = (nth: number) => ({ type: "text", text: `text ${nth}` });
    const said = Array.from({ length: 100 }, (_, nth) => assistant(`m${nth}`, text(nth)));
    const { state } = play([...said, result()]);
    const { rest, pages } = splitState(state);
    const { beside: _, ...recent } = rest.normalize.recent;
    const older = { ...rest, normalize: { ...rest.normalize, recent } };
    const narrow = new Map(pages.map((page, at) => [at, page.slice(0, 1024)]));
    const again = play(said, { state: joinState(older, narrow), events: [], items: [] });
    expect(again.events.map(({ type }) => type)).toEqual(said.map(() => "message-repeated"));
    const other = play([assistant("m", text(1), { uuid: "new" })], { ...again, events: [] });
    expect(other.events.map(({ type }) => type)).toContain("block-settled");
  });

  test("[TL47] leaves the states before as they were, and each of them is plain data", () => {
    for (const [story, said] of stories) {
      let state = frozen(createTimeline());
      for (const line of [...said, runEnded("ended")]) {
        const step = advance(state, logLine(line)); // what is frozen throws when it is changed
        state = frozen(step.state);
        frozen(step.changed);
      }
      expect(JSON.parse(JSON.stringify(state)), story).toStrictEqual(state);
    }
  });

  test("[TL42] the deltas of a block, put together, are its settled text", () => {
    for (const [story, said] of stories) {
      const grown = new Map<string, string>();
      for (const event of play(said).events) {
        if (!("messageId" in event) || !("index" in event)) continue;
        const block = `${event.lane}/${event.messageId}/${event.index}`;
        if (event.type === "block-grew") grown.set(block, (grown.get(block) ?? "") + event.text);
        if (event.type === "block-settled" && grown.has(block))
          expect(grown.get(block), story).toBe(event.text);
      }
    }
  });

  test("[TL43] with unknown messages strewn in loses no event, and shows each of them", () => {
    for (const [story, said] of stories) {
      fc.assert(
        fc.property(fc.array(fc.nat(said.length), { maxLength: 6 }), (places) => {
          const strewn: Said[] = [...said];
          for (const at of places)
            strewn.splice(at, 0, { from: "agent", text: '{"type":"from_the_future"}' });
          const played = play(strewn);
          const opaque = played.events.filter((event) => event.type === "opaque-received");
          const others = played.events.filter((event) => event.type !== "opaque-received");
          const before = play(said).events.filter((event) => event.type !== "opaque-received");
          expect(others, story).toEqual(before);
          expect(opaque.length, story).toBe(
            places.length + (play(said).events.length - before.length),
          );
        }),
        { numRuns: 5 },
      );
    }
  });

  test("[TL7] printed again by the agent from its first turn on, it shows nothing twice and moves nothing", () => {
    for (const [story, said] of stories) {
      const first = said.findIndex(({ text }) => text.includes('"subtype":"init"'));
      const turn = said
        .slice(first)
        .filter(({ from, text }) => from === "agent" && !text.includes('"control_'));
      if (first === -1) continue;
      const before = play(said);
      const after = play(turn, before);
      for (const item of before.items) {
        const again = after.items.find(({ id }) => id === item.id);
        expect([again?.order, again?.kind], `${story} ${item.id}`).toEqual([item.order, item.kind]);
      }
      const shown = (kind: string) => (item: { kind: string }) => item.kind === kind;
      for (const kind of ["text", "tool", "turn-end", "prompt"]) {
        expect(after.items.filter(shown(kind)).length, `${story} ${kind}`).toBe(
          before.items.filter(shown(kind)).length,
        );
      }
    }
  });

  test("[TL89] printed twice by the agent, no message is taken for another, and every one is counted", () => {
    const known = /"type":"(?:assistant|user|result)"|"subtype":"(?:init|task_|hook_|compact_)/;
    for (const [story, said] of stories) {
      const again = said.filter(({ from, text }) => from === "agent" && known.test(text));
      const before = play(said);
      const after = play(again, before);
      const reused = ({ events }: Played) =>
        events.filter(({ type }) => type === "uuid-reused").length;
      expect(reused(after), story).toBe(reused(before));
      const counted = ({ state }: Played) => state.reduce.summary.repeated ?? 0;
      const named = again.filter(({ text }) => !text.includes('"isReplay":true'));
      if (named.some(({ text }) => text.includes('"type":"assistant"'))) {
        expect(counted(after), story).toBeGreaterThan(counted(before));
      }
    }
  });

  test("[TL44] has items with ids of their own, in one order", () => {
    for (const [story, said] of stories) {
      const places = new Map<string, number>();
      let state = createTimeline();
      for (const line of [...said, ...said.map(renamedLines), runEnded("ended")]) {
        const step = advance(state, logLine(line));
        state = step.state;
        for (const { id, order } of step.changed) {
          expect(places.get(id) ?? order, `${story} ${id}`).toBe(order);
          places.set(id, order);
        }
      }
      expect(places.size, story).toBe(state.reduce.nextOrder);
      expect(new Set(places.values()).size, story).toBe(places.size);
    }
  });

  test("[TL45] every call of the main thread is settled after its turn, and all of them after the run", () => {
    for (const [story, said] of stories) {
      const ended = runEnded("ended");
      const { items, state } = play([...said, ended]);
      for (const item of items) {
        if (item.kind === "tool")
          expect(["running", "preparing"], `${story} ${item.id}`).not.toContain(item.status);
      }
      expect(state.normalize.tools, story).toEqual([]);
      let played = play([]);
      for (const line of said) {
        played = play([line], played);
        if (!line.text.includes('"type":"result"')) continue;
        const { tools, tasks, agents } = played.state.normalize;
        const [inTurn, lanes] = [tools.map(({ callId }) => callId), new Set<string>()];
        for (const { taskId, lane } of agents) {
          if (tasks.some((task) => task.taskId === taskId)) lanes.add(lane);
        }
        // What is still open hangs under a task in the background, through other open calls.
        const below = (lane: string) => lanes.has(lane) || inTurn.includes(lane);
        expect(
          tools.filter(({ lane }) => !below(lane)),
          story,
        ).toEqual([]);
        expect(lanes.size > 0 || tools.length === 0, story).toBe(true);
      }
    }
  });

  test("[TL46] keeps no more between two lines than what is open", () => {
    for (const [story, said] of stories) {
      let played = play([]);
      const sizes: number[] = [];
      for (let round = 0; round < 12; round++) {
        // A conversation that goes on: the same story with ids of its own.
        const again = said.map(({ from, text }) => ({
          from,
          text: text.replaceAll(
            /toolu_|msg_|"[0-9a-f]{8}-(?=[0-9a-f]{4}-)/g,
            (id) => `${id}${round}x`,
          ),
        }));
        const ended = runEnded("ended");
        played = play([...again, ended], { ...played, events: [], items: [] });
        // These have limits of their own.
        const { recent: _, ...normalize } = played.state.normalize;
        const { names: __, ...reduce } = played.state.reduce;
        sizes.push(JSON.stringify({ normalize, reduce }).length);
      }
      expect(sizes.at(-1), story).toBeLessThan((sizes[8] ?? 0) + 100);
    }
  });
});
