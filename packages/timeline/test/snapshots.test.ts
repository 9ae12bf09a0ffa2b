import { expect, test } from "bun:test";
import type { Item, TimelineEvent } from "@signalbox/timeline";
import { recordings } from "../../protocol/test/recordings.ts";
import { play } from "./play.ts";

/** One line for each: what a reviewer needs to see that the story is told right. */
const short = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = (text ?? "")
    .replaceAll("\n", "⏎")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "‹uuid›");
  return line.length > 240 ? `${line.slice(0, 240)}…` : line;
};

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
