import * as z from "zod";

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

/** Every command carries an id of the client's making in this header: the same id twice runs once. */
export const COMMAND_HEADER = "signalbox-command";

/** A body too large to ride inside an item stands there as this: its ends, and where the whole is. */
export const cutBody = z.object({
  $blob: z.string(),
  bytes: z.number(),
  characters: z.number(),
  head: z.string(),
  tail: z.string(),
});
export type CutBody = z.infer<typeof cutBody>;
/** Longer texts inside items are stored as blobs. In UTF-16 units. */
export const BODY_LIMIT = 32 * 1024;

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
