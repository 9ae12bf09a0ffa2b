import { MAIN, type Lane } from "../event.ts";
import { type IdMemory, createIdMemory } from "../id-memory.ts";
import {
  matchesName,
  createIdAt,
  createUnknownId,
  isTaken,
  type Lane as CallLane,
  NAME_PAGES,
  addLane,
  addName,
} from "./ids.ts";
import type { Item, ItemBody, ItemOfKind } from "../item.ts";
import { createSummary, type Summary } from "./summary.ts";

/**
 * What is kept between events: the items that may still change, and the summary. Plain data; every field
 * is always there, null where there is nothing.
 */
export interface ReduceState {
  readonly rev: number;
  readonly nextOrder: number;
  readonly turn: number;
  readonly inTurn: boolean;
  /** The time of the line at hand. */
  readonly now: number | null;
  readonly open: readonly Item[];
  /** The block that is being written: newer than what `open` has of it. */
  readonly growing: Item | null;
  /** The names that items have had, and the calls whose id is another than their name. */
  readonly names: IdMemory;
  readonly lanes: readonly CallLane[];
  readonly summary: Summary;
}

export function createReduceState(): ReduceState {
  return {
    rev: 0,
    nextOrder: 0,
    turn: 0,
    inTurn: false,
    now: null,
    open: [],
    growing: null,
    names: createIdMemory(NAME_PAGES, false),
    lanes: [],
    summary: createSummary(),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type Body = ItemBody & { readonly parent?: string };

interface ItemPosition {
  readonly id: string;
  readonly order: number;
  readonly turn: number;
  readonly at: number | null;
  readonly rev: number;
}

/** Items that the wire names alike: a block may turn out to be a call. */
export type Family = "said" | "prompt" | "ask" | "task" | "hook";
type Member<F extends Family> = F extends "said"
  ? ItemOfKind<"text" | "thinking" | "block" | "tool">
  : Extract<Item, { kind: F }>;

/** What only we name is found by nothing that the wire says. */
function findFamily(kind: Item["kind"]): Family | undefined {
  switch (kind) {
    case "text":
    case "thinking":
    case "block":
    case "tool":
      return "said";
    case "prompt":
    case "ask":
    case "task":
    case "hook":
      return kind;
    default:
      return undefined;
  }
}

/** Texts come most: written out, which costs half of a copy. */
function newItem({ id, order, turn, at, rev }: ItemPosition, body: Body): Item {
  if (body.kind === "text" && body.parent === undefined) {
    const { kind, text, live } = body;
    if (at === null) return { id, order, turn, rev, kind, text, live };
    return { id, order, turn, at, rev, kind, text, live };
  }
  return at === null ? { id, order, turn, rev, ...body } : { id, order, turn, at, rev, ...body };
}

/** A line at work: the few ways in which items come and go. What the state before holds stays as it is. */
export class ItemDraft {
  rev: number;
  nextOrder: number;
  turn: number;
  inTurn: boolean;
  readonly now: number | null;
  /** The items that this line made or changed, as they were made. */
  readonly changed: Item[] = [];
  #open: readonly Item[];
  #names: IdMemory;
  #lanes: readonly CallLane[];
  #summary: Mutable<Summary>;
  #hasOwnSummary = false;

  constructor(before: ReduceState, at: number | undefined) {
    this.rev = before.rev;
    this.nextOrder = before.nextOrder;
    this.turn = before.turn;
    this.inTurn = before.inTurn;
    this.now = at ?? before.now;
    this.#open = before.open;
    this.#names = before.names;
    this.#lanes = before.lanes;
    this.#summary = before.summary;
    if (before.growing) this.#replace(before.growing);
  }

  /** The turn to which something belongs that is said now: between turns, to the one it leads to. */
  get nextTurn(): number {
    return this.inTurn ? this.turn : this.turn + 1;
  }

  get open(): readonly Item[] {
    return this.#open;
  }

  /** The summary, to be read. */
  get summary(): Summary {
    return this.#summary;
  }

  /** The summary, to be changed: its fields may be set, what they hold is replaced. */
  get newSummary(): Mutable<Summary> {
    if (!this.#hasOwnSummary) this.#summary = { ...this.#summary };
    this.#hasOwnSummary = true;
    return this.#summary;
  }

  /**
   * An item that may still change, by its name on the wire, of one family: a call and an ask may have the
   * same name. The newest are looked at first: they are the ones that do.
   */
  find<F extends Family>(family: F, name: string): Member<F> | undefined {
    return this.#open.findLast(
      (item): item is Member<F> => matchesName(item.id, name) && findFamily(item.kind) === family,
    );
  }

  call(name: string | undefined): ItemOfKind<"tool"> | undefined {
    const item = name === undefined ? undefined : this.find("said", name);
    return item?.kind === "tool" ? item : undefined;
  }

  /** What belongs to a subagent hangs under the call that it runs under: `own` is a call's name, which hangs under none of its own. */
  under(lane: Lane, own?: string): { parent?: string } {
    if (lane === MAIN) return {};
    const parent = this.#findCall(lane);
    return own !== undefined && this.#isBelow(parent, own) ? {} : { parent };
  }

  /** Whether an item hangs under the call `own`. Of a call that nothing open speaks of, none does. */
  #isBelow(id: string, own: string): boolean {
    if (matchesName(id, own)) return true;
    if (!this.#open.some((item) => item.parent !== undefined && matchesName(item.parent, own))) {
      return false;
    }
    const items = new Map(this.#open.map((item) => [item.id, item]));
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !seen.has(at);) {
      if (matchesName(at, own)) return true;
      seen.add(at);
      at = items.get(at)?.parent;
    }
    return false;
  }

  #findCall(lane: Lane): string {
    const open = this.find("said", lane);
    if (open) return open.id;
    const known = this.#lanes.find(({ name }) => name === lane);
    if (known) this.#lanes = addLane(this.#lanes, known);
    return known?.id ?? createUnknownId(lane);
  }

  /** A call that is about to be settled, under which a subagent may go on. */
  keepLane(call: Item, name: string): void {
    if (call.id !== name) this.#lanes = addLane(this.#lanes, { name, id: call.id });
  }

  /** A new item. Where another has had its name, it gets an id of its own and answers to the name. */
  create(name: string, body: Body, isFinished: boolean, turn = this.turn): void {
    const family = findFamily(body.kind);
    const before = family && this.find(family, name);
    if (before) this.close(before.id);
    if (!isTaken(this.#names, name)) {
      this.#names = addName(this.#names, name);
      return this.#add(name, body, isFinished, turn);
    }
    const named = body.kind === "prompt" ? { ...body, uuid: name } : body;
    this.#add(createIdAt(name, this.nextOrder), named, isFinished, turn);
  }

  /** One whose id nobody else gives: the count of items, or of turns, is in it. */
  createWithId(id: string, body: Body, isFinished: boolean, turn = this.turn): void {
    this.#add(id, body, isFinished, turn);
  }

  #add(id: string, body: Body, isFinished: boolean, turn: number): void {
    const { now } = this;
    const rev = ++this.rev;
    const order = this.nextOrder++;
    const item = newItem({ id, order, turn, at: now, rev }, body);
    if (isFinished) this.#open = [...this.#open, item];
    this.changed.push(item);
  }

  /** A thing without an id of its own that will not change again. */
  addNotice(body: Body): void {
    this.createWithId(`note-${this.nextOrder}`, body, false);
  }

  /** Makes the item, or gives an open one its new body. */
  put(name: string, body: Body, isFinished: boolean): void {
    const family = findFamily(body.kind);
    const item = family && this.find(family, name);
    if (item) this.replace(item, body, isFinished);
    else this.create(name, body, isFinished);
  }

  replace({ id, order, turn, parent, at }: Item, body: Body, isFinished: boolean): void {
    const next: Mutable<Item> = { id, order, turn, rev: ++this.rev, ...body };
    if (at !== undefined) next.at = at;
    if (parent !== undefined) next.parent = parent;
    this.#settle(next, isFinished);
  }

  change<I extends Item>(item: I | undefined, changes: Partial<I>, isFinished: boolean): void {
    if (!item) return;
    const next: Mutable<Item> = { ...item };
    Object.assign(next, changes);
    next.rev = ++this.rev;
    this.#settle(next, isFinished);
  }

  close(id: string): void {
    this.#open = this.#open.filter((item) => item.id !== id);
  }

  #settle(item: Item, isFinished: boolean): void {
    if (isFinished) this.#replace(item);
    else this.close(item.id);
    this.changed.push(item);
  }

  #replace(item: Item): void {
    const at = this.#open.findLastIndex((open) => open.id === item.id);
    this.#open = at === -1 ? [...this.#open, item] : this.#open.with(at, item);
  }

  state(): ReduceState {
    const { rev, nextOrder, turn, inTurn, now } = this;
    const [open, summary, names, lanes] = [this.#open, this.#summary, this.#names, this.#lanes];
    return { rev, nextOrder, turn, inTurn, now, open, growing: null, names, lanes, summary };
  }
}
