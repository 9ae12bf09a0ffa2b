import * as z from "zod";
import type { AuditEntry } from "./device.ts";

/** Every refusal: `application/problem+json` (RFC 9457). `detail` says what happened and what to do. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  /** For programs: `not-found`, `stale-hash`, `already-answered`, … */
  code: z.string(),
});
export type Problem = z.infer<typeof problem>;

/** A body too large to ride inside an item stands there as this: its ends, and where the whole is. */
export const cutBody = z.object({
  $blob: z.string(),
  bytes: z.number(),
  characters: z.number(),
  head: z.string(),
  tail: z.string(),
});
export type CutBody = z.infer<typeof cutBody>;

/** `GET /api/sessions/:id/items/:item/output`: the last of it, and how much the whole is. */
export const outputTail = z.object({ text: z.string(), bytes: z.number() });
export type OutputTail = z.infer<typeof outputTail>;

/** Who wrote a line of the log. */
export const lineView = z.object({
  pos: z.number(),
  seq: z.number().nullable(),
  run: z.string().nullable(),
  from: z.enum(["agent", "host", "keeper"]),
  at: z.number(),
  /** The line as it came; a very large one is in a blob. */
  text: z.string().optional(),
  blob: z.string().optional(),
  flaws: z.record(z.string(), z.unknown()).optional(),
});
export type LineView = z.infer<typeof lineView>;

/**
 * `GET /api/sessions/:id/items?before=ORDER&limit=N` answers with the N items before that order, or
 * the newest, in ascending order; `…/items/:item` with one, wherever its text stands now, stored or not.
 */
export interface ItemsPage<Item> {
  readonly items: readonly Item[];
  /** There are more before them. */
  readonly older: boolean;
}
/** `GET /api/sessions/:id/lines?after=POS|before=POS&limit=N`, ascending. */
export interface LinesPage {
  readonly lines: readonly LineView[];
  readonly more: boolean;
}
/** `GET /api/audit?before=NTH&limit=N`, newest first. `broken`: with `verify=1`, the first that does not fit. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly head: string;
  readonly verified?: {
    readonly count: number;
    readonly broken: number | null;
    /** So many at the beginning were written before the hub signed its entries; an older hub does not say. */
    readonly unsigned?: number;
    /** What does not fit, in a sentence. */
    readonly why?: string | undefined;
  };
}
