import type { CutBody } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import { inert } from "./visible.ts";

/** A text of an item. The hub stores long ones apart: then their two ends stand here. */
export type Body = string | CutBody;

/** Data of the timeline as the hub sends it: any text in it may have been cut, but for ids. */
export type MaybeCut<T> = T extends string
  ? string extends T
    ? Body
    : T
  : T extends readonly (infer Entry)[]
    ? readonly MaybeCut<Entry>[]
    : T extends object
      ? { readonly [Key in keyof T]: Key extends "id" | "parent" ? T[Key] : MaybeCut<T[Key]> }
      : T;

export type DisplayItem = Item extends infer One
  ? One extends Item
    ? MaybeCut<One>
    : never
  : never;
export type DisplayItemOf<Kind extends Item["kind"]> = Extract<DisplayItem, { kind: Kind }>;

export function isCut(value: unknown): value is CutBody {
  return typeof value === "object" && value !== null && "$blob" in value && "head" in value;
}

export function isBody(value: unknown): value is Body {
  return typeof value === "string" || isCut(value);
}

/** What there is of a text without asking the hub. */
export function joinEnds(body: Body): string {
  return isCut(body) ? `${body.head}\n…\n${body.tail}` : body;
}

/** A text for a place that has room for a line: names, titles, paths. Nothing in it reorders its surroundings. */
export function toShortText(body: Body | undefined, limit = 300): string {
  return inert(toShortRawText(body, limit));
}

/** As it is, for what is not for reading: addresses, paths that go elsewhere. */
export function toShortRawText(body: Body | undefined, limit: number): string {
  if (body === undefined) return "";
  const text = isCut(body) ? body.head : body;
  return isCut(body) || text.length > limit ? `${text.slice(0, limit)}…` : text;
}

export function getLength(body: Body): number {
  return isCut(body) ? body.characters : body.length;
}

/** The beginning of a message in one line: enough to tell it from another. */
export function excerpt(text: string): string {
  return toShortText(text.trim().replaceAll(/\s+/g, " "), 40);
}
