import type { CutBody } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import { inert } from "./visible.ts";

/** A text of an item. The hub sends only the start and end of long ones. */
export type Body = string | CutBody;

/** Timeline data as the hub sends it: any text except ids may be truncated. */
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
export type DisplayItemOfKind<Kind extends Item["kind"]> = Extract<DisplayItem, { kind: Kind }>;

export function isCut(value: unknown): value is CutBody {
  return typeof value === "object" && value !== null && "$blob" in value && "head" in value;
}

export function isBody(value: unknown): value is Body {
  return typeof value === "string" || isCut(value);
}

/** The text, or its start and end if it is truncated. */
export function joinEnds(body: Body): string {
  return isCut(body) ? `${body.head}\n…\n${body.tail}` : body;
}

/** The start of a text without its last, unfinished word. */
export function trimToWord(head: string): string {
  const end = head.search(/\s\S*$/);
  return end <= 0 ? head : head.slice(0, end);
}

/** A short text for names, titles and paths. Bidirectional controls in it are escaped. */
export function toShortText(body: Body | undefined, limit = 300): string {
  return inert(toShortRawText(body, limit));
}

/** A short text that is not escaped, for addresses and paths that are passed on. */
export function toShortRawText(body: Body | undefined, limit: number): string {
  if (body === undefined) return "";
  const text = isCut(body) ? body.head : body;
  return isCut(body) || text.length > limit ? `${text.slice(0, limit)}…` : text;
}

export function getLength(body: Body): number {
  return isCut(body) ? body.characters : body.length;
}

/** The start of a message in one line. */
export function excerpt(text: string): string {
  return toShortText(text.trim().replaceAll(/\s+/g, " "), 40);
}
