import * as z from "zod";
import { askView } from "./ask.ts";
import { deviceView, elevationView, runnerView } from "./device.ts";
import { id, projectView, sessionView } from "./session.ts";

/** The frames of the live WebSocket, `/api/stream`: one JSON object a frame. Unknown frames are ignored. */

/** From a client. The first is `hello`, within five seconds. */
export const clientFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), version: z.number() }),
  z.object({ type: z.literal("watch-board") }),
  z.object({ type: z.literal("leave-board") }),
  /** `epoch` and `rev`: what the client has; without them it begins with the newest page. */
  z.object({
    type: z.literal("watch"),
    session: id,
    epoch: z.string().max(100).optional(),
    rev: z.number().optional(),
  }),
  z.object({ type: z.literal("leave"), session: id }),
  /** So many UTF-16 units of frames, counted from the connection's start, have been applied. */
  z.object({ type: z.literal("ack"), received: z.number() }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

/** From the hub. */
export const hubFrame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    version: z.number(),
    hub: z.string(),
    epoch: z.string(),
    device: deviceView,
    /** The newest head of the audit chain: a device keeps it. */
    auditHead: z.string(),
    /** The hub's clock, in milliseconds: that of the device may be wrong. */
    now: z.number().optional(),
    /** The hub's signature of `streamProofText`, for the ticket that opened the stream. */
    proof: z.string().optional(),
  }),
  /** What changed of the board, whole; `reset`: this is all there is. */
  z.object({
    type: z.literal("board"),
    rev: z.number(),
    reset: z.boolean(),
    sessions: z.array(sessionView),
    asks: z.array(askView),
    projects: z.array(projectView).optional(),
    runners: z.array(runnerView).optional(),
    /** Sessions that are gone. Asks are gone when their status is no longer `open`. */
    gone: z.array(id),
    /** The hub cannot store (disk full, read-only, damaged): what it says to a person. */
    trouble: z.string().nullable().optional(),
  }),
  /**
   * Items of a session that changed, whole, in the order of their revisions. After the frames of a
   * catch-up the client has `rev`; `more`: further frames follow. `reset`: forget what you have; these
   * are the newest, `older`: there are more before them.
   */
  z.object({
    type: z.literal("items"),
    session: id,
    epoch: z.string(),
    rev: z.number(),
    items: z.array(z.looseObject({ id: z.string(), order: z.number(), rev: z.number() })),
    more: z.boolean(),
    reset: z.object({ older: z.boolean() }).optional(),
  }),
  /**
   * Live text: append at `at` to the `text` of an item, or to the `inputText` of a call that is being
   * written; at another length, ask for the item again. An item that grows is not sent whole until it
   * settles.
   */
  z.object({
    type: z.literal("text"),
    session: id,
    item: z.string(),
    at: z.number(),
    text: z.string(),
  }),
  /** The session was deleted, or never was. */
  z.object({ type: z.literal("gone"), session: id }),
  /** All terminals that wait for a confirmation; sent to approvers, at the start and when one changes. */
  z.object({ type: z.literal("elevations"), elevations: z.array(elevationView) }),
  /** At least every fifteen seconds: a client that hears nothing for thirty-five takes the link for dead. */
  z.object({ type: z.literal("beat") }),
  z.object({ type: z.literal("refused"), detail: z.string() }),
]);
export type HubFrame = z.infer<typeof hubFrame>;
