import type { Item } from "@signalbox/timeline";
import type { DisplayItem } from "../text/body.ts";

export interface Recorded {
  readonly version: string;
  readonly story: string;
  readonly items: readonly Item[];
}

export interface Specimen {
  /** The group and state under which an item is shown. */
  readonly group: string;
  readonly state: string;
  readonly from: string;
  readonly item: DisplayItem;
  /** All items of its recording, for items that contain others. */
  readonly story: readonly DisplayItem[];
}

/** The most complete recorded item of every kind and state. */
export function selectSpecimens(recordings: readonly Recorded[]): Specimen[] {
  const best = new Map<string, Specimen>();
  for (const { version, story, items } of recordings) {
    for (const item of items) {
      const specimen = { ...classifyItem(item), from: `${version} ${story}`, item, story: items };
      const key = `${specimen.group}/${specimen.state}`;
      const known = best.get(key);
      if (!known || measureSize(item) > measureSize(known.item)) best.set(key, specimen);
    }
  }
  return [...best.values()].toSorted((a, b) => order(a).localeCompare(order(b)));
}

function order({ group, state }: Specimen): string {
  return `${group}/${state}`;
}

function measureSize(item: unknown): number {
  return Math.min(20_000, JSON.stringify(item).length);
}

export function classifyItem(item: Item): { group: string; state: string } {
  switch (item.kind) {
    case "tool":
      return {
        group: `tool ${item.payload?.kind ?? "being written"}`,
        state: `${item.name} ${item.status}`,
      };
    case "ask":
      return {
        group: "ask",
        state: [item.ask, item.status, item.behavior, item.interrupt && "stop"]
          .filter(Boolean)
          .join(" "),
      };
    case "notice":
      return { group: "notice", state: `${item.level} ${item.text.slice(0, 24)}` };
    case "prompt":
      return {
        group: "prompt",
        state: typeof item.content === "string" ? item.origin : "in parts",
      };
    case "turn-end":
      return { group: "turn-end", state: item.status };
    case "task":
      return { group: "task", state: item.status };
    case "hook":
      return { group: "hook", state: `${item.event} ${item.outcome ?? item.state}` };
    case "compaction":
      return { group: "compaction", state: item.state };
    case "text":
    case "thinking":
    case "block":
      return { group: item.kind, state: item.live ? "live" : "whole" };
    case "opaque":
      return { group: "opaque", state: item.name };
    default:
      return item satisfies never;
  }
}
