/**
 * What the hub and its clients have agreed on. Types alone are imported, so that a page carries no
 * schemas; the few values are said again here, and the compiler sees that they are the same.
 */
import type {
  CLOSED_UNAUTHORIZED as ClosedUnauthorized,
  COMMAND_HEADER as CommandHeader,
  CutBody,
  HubFrame,
  sessionView,
  STREAM_PROTOCOL as StreamProtocol,
  STREAM_VERSION as StreamVersion,
  TICKET_PROTOCOL as TicketProtocol,
} from "@signalbox/protocol";
import type { Item, Summary } from "@signalbox/timeline";

export const COMMAND_HEADER = "signalbox-command" satisfies typeof CommandHeader;
export const STREAM_VERSION = 1 satisfies typeof StreamVersion;
export const STREAM_PROTOCOL = "signalbox.stream.v1" satisfies typeof StreamProtocol;
export const TICKET_PROTOCOL = "ticket." satisfies typeof TicketProtocol;
export const CLOSED_UNAUTHORIZED = 4401 satisfies typeof ClosedUnauthorized;
export const STREAM_PATH = "/api/stream";

/** A session at a glance. */
export type Session = Omit<(typeof sessionView)["_output"], "summary"> & { summary: Summary };

export type Frame<T extends HubFrame["type"]> = Extract<HubFrame, { type: T }>;
export type BoardFrame = Omit<Frame<"board">, "sessions"> & { sessions: Session[] };
export type ItemsFrame = Omit<Frame<"items">, "items"> & { items: Item[] };
export type TextFrame = Frame<"text">;

/** A text of an item may be too large to ride in it; then this stands in its place. */
export function isCut(value: unknown): value is CutBody {
  return typeof value === "object" && value !== null && "$blob" in value && "head" in value;
}
