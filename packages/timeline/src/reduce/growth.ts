import type { TimelineEvent } from "../event.ts";
import type { ReduceState } from "./draft.ts";
import { matchesName } from "./ids.ts";
import type { Item } from "../item.ts";

type BlockGrew = Extract<TimelineEvent, { type: "block-grew" }>;

/**
 * Appends text to the growing item. This is the most frequent change, so it costs no more than a
 * new item and a new state. The item becomes the growing one. The state stays the same if there is
 * no such item.
 */
export function growItem(before: ReduceState, { block, text }: BlockGrew): ReduceState {
  const { growing } = before;
  const isGrowingItem = growing !== null && isBlock(growing, block);
  const item = isGrowingItem ? growing : before.open.findLast((open) => isBlock(open, block));
  const grown = item && appendText(item, text, before.rev + 1);
  if (!grown) return before;
  return {
    rev: grown.rev,
    nextOrder: before.nextOrder,
    turn: before.turn,
    inTurn: before.inTurn,
    now: before.now,
    open: isGrowingItem || growing === null ? before.open : replaceGrown(before.open, growing),
    growing: grown,
    names: before.names,
    lanes: before.lanes,
    summary: before.summary,
  };
}

/** A call that is being written is open under its own id, and its block refers to it. */
export function isBlock(item: Item, block: string): boolean {
  return item.kind === "tool"
    ? item.block === block
    : matchesName(item.id, block) && "live" in item;
}

export function appendText(item: Item, text: string, rev: number): Item | undefined {
  if (text === "") return undefined;
  if (item.kind === "text" || item.kind === "thinking") {
    if (item.parent !== undefined) return { ...item, text: item.text + text, rev };
    // Written out in the order in which the fields were created: copying costs twice as much.
    const { id, order, turn, at, kind, live } = item;
    const whole = item.text + text;
    if (at === undefined) return { id, order, turn, rev, kind, text: whole, live };
    return { id, order, turn, at, rev, kind, text: whole, live };
  }
  if (item.kind !== "tool" || item.inputText === undefined) return undefined;
  return { ...item, inputText: item.inputText + text, rev };
}

/** The open items, with the growing one put back among them. */
function replaceGrown(open: readonly Item[], grown: Item): readonly Item[] {
  return open.map((item) => (item.id === grown.id ? grown : item));
}
