import * as z from "zod";

/** The frames between `dial` and a hub's relay: docs/spec/relay.md, "The protocol of `dial`". */
export const DIAL_VERSION = 1;
export const LIFE_HEADER = "X-Signalbox-Dial";

const type = z.literal("signalbox_dial");
const number = z.int().min(0);

/** From the hub. */
const fromHub = z.discriminatedUnion("subtype", [
  z.object({
    type,
    subtype: z.literal("welcome"),
    version: z.number(),
    received: number,
    /** Lines to the agent that this hub knows of. */
    given: number.optional(),
  }),
  z.object({ type, subtype: z.literal("ack"), received: number }),
  z.object({ type, subtype: z.literal("lines"), first: z.int().min(1) }),
  z.object({ type, subtype: z.literal("stop") }),
]);
export type FromHub = z.infer<typeof fromHub>;

/** A frame of this form and the lines in it; undefined: it is none, or one that this build does not know. */
export function readDialFrame(text: string): { frame: FromHub; lines: string[] } | undefined {
  const end = text.indexOf("\n");
  const head = end < 0 ? text : text.slice(0, end);
  if (!head.includes("signalbox_dial")) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(head);
  } catch {
    return undefined;
  }
  const read = fromHub.safeParse(body);
  if (!read.success) return undefined;
  return { frame: read.data, lines: end < 0 ? [] : text.slice(end + 1).split("\n") };
}

export type DialFrameToHub =
  | {
      subtype: "hello";
      version: number;
      received: number;
      folder: string;
      agent: object;
      /** So many lines are missing before the next. */
      lost?: number;
    }
  | { subtype: "ack"; received: number }
  | { subtype: "ended"; code: number | null; signal: string | null; stderr: string };

export function dialFrame(frame: DialFrameToHub): string {
  return JSON.stringify({ type: "signalbox_dial", ...frame });
}

/** What the ledger keeps is framed for the runner's link: the same lines under a head of this form. */
export interface StoredFrame {
  readonly head: string;
  /** The number of its last line, as it is kept. */
  readonly last: number;
  /** False: more pieces of the same line follow. */
  readonly whole: boolean;
  readonly lines: string;
}

/** `skipped`: so many numbers were given to lines that no hub has, and count no more. */
export function createStoredFrame(text: string, skipped = 0): StoredFrame {
  const end = text.indexOf("\n");
  const facts = JSON.parse(text.slice(0, end)) as Record<string, unknown>;
  const lines = text.slice(end + 1);
  const common = { type: "signalbox_dial", subtype: facts["type"] };
  if (facts["type"] === "chunk") {
    const [nth, last] = [facts["seq"] as number, facts["last"] === true];
    const head = JSON.stringify({ ...common, number: nth - skipped, last });
    return { head, last: nth, whole: last, lines };
  }
  const first = facts["first"] as number;
  const count = (facts["from"] as unknown[]).length;
  const head = JSON.stringify({ ...common, first: first - skipped });
  return { head, last: first + count - 1, whole: true, lines };
}
