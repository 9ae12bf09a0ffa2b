import { expect, test } from "bun:test";
import type { Item, TimelineEvent } from "@signalbox/timeline";
import { recordings } from "@signalbox/testing/recordings";
import { play } from "./play.ts";

/** Every value is there to be reviewed; only long texts and long lists are cut, each by itself. */
const short = (facts: object): string =>
  JSON.stringify(facts, (_, value: unknown) => {
    if (typeof value === "string") return shortText(value);
    return Array.isArray(value) && value.length > 6
      ? [...value.slice(0, 6), `… ${value.length}`]
      : value;
  });

function shortText(text: string): string {
  const line = text
    .replaceAll("\n", "⏎")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (uuid) => `‹${uuid.slice(0, 4)}›`);
  return line.length > 200 ? `${line.slice(0, 160)}…${line.slice(-30)}` : line;
}

function eventLine(event: TimelineEvent): string | undefined {
  if (event.type === "block-grew") return undefined; // the settled text has them all
  const { type, ...facts } = event;
  return `${type} ${short(facts)}`;
}

function itemLine(item: Item): string {
  const { id: _, order, rev: __, turn, kind, parent, ...facts } = item;
  return `${order} turn ${turn}${parent === undefined ? "" : ` under ${parent}`} ${kind} ${short(facts)}`;
}

for (const [story, said] of recordings()) {
  test(`the events and items of ${story}`, () => {
    const { events, items, state } = play(said);
    expect(events.map(eventLine).filter((line) => line !== undefined)).toMatchSnapshot("events");
    expect(items.map(itemLine)).toMatchSnapshot("items");
    const { cwd: _, ...summary } = state.reduce.summary;
    expect(summary).toMatchSnapshot("summary");
  });
}
