import type { CutBody, HubFrame, SessionSummary } from "@signalbox/api";

export {
  CLOSED_UNAUTHORIZED,
  COMMAND_HEADER,
  STREAM_PATH,
  STREAM_PROTOCOL,
  STREAM_VERSION,
  TICKET_PROTOCOL,
} from "@signalbox/api/constants";

/** A session at a glance. */
export type Session = SessionSummary;

export type Frame<T extends HubFrame["type"]> = Extract<HubFrame, { type: T }>;
export type BoardFrame = Frame<"board">;
export type ItemsFrame = Frame<"items">;
export type TextFrame = Frame<"text">;

/** Takes the place of a text that is too large to be part of its item. */
export function isCutBody(value: unknown): value is CutBody {
  return typeof value === "object" && value !== null && "$blob" in value && "head" in value;
}
