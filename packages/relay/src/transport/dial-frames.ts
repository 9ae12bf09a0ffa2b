import * as z from "zod";

/** docs/spec/relay.md, "The protocol of `dial`". */
export const DIAL_VERSION = 1;
export const DIAL_HEADER = "x-signalbox-dial";

const number = z.int().min(1);
const received = z.int().min(0);
const type = z.literal("signalbox_dial");

/** Frames from `dial`. */
const fromDial = z.discriminatedUnion("subtype", [
  z.object({
    type,
    subtype: z.literal("hello"),
    version: z.int(),
    received,
    folder: z.string().max(4096).optional(),
    agent: z
      .looseObject({ path: z.string().optional(), version: z.string().optional() })
      .optional(),
    lost: z.int().min(1).optional(),
  }),
  z.object({ type, subtype: z.literal("lines"), first: number }),
  z.object({ type, subtype: z.literal("chunk"), number, last: z.boolean() }),
  z.object({ type, subtype: z.literal("ack"), received }),
  z.object({
    type,
    subtype: z.literal("ended"),
    code: z.int().nullable(),
    signal: z.string().nullable(),
    stderr: z
      .string()
      .max(64 * 1024)
      .optional(),
  }),
]);
export type FromDial = z.infer<typeof fromDial>;

/** Frames from the hub. Lines follow a `lines` frame. */
type ToDial =
  | { subtype: "welcome"; version: number; received: number; given: number }
  | { subtype: "ack"; received: number }
  | { subtype: "lines"; first: number }
  | { subtype: "stop" };

export function formatDialFrame(frame: ToDial, lines: readonly string[] = []): string {
  return [JSON.stringify({ type: "signalbox_dial", ...frame }), ...lines].join("\n");
}

/** Undefined: not a known frame. */
export function parseDialFrame(text: string): { frame: FromDial; body: string } | undefined {
  const end = text.indexOf("\n");
  try {
    const read = fromDial.safeParse(JSON.parse(end < 0 ? text : text.slice(0, end)));
    return read.success
      ? { frame: read.data, body: end < 0 ? "" : text.slice(end + 1) }
      : undefined;
  } catch {
    return undefined;
  }
}
