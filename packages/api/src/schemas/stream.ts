import * as z from "zod";
import { draftView } from "./draft.ts";
import { timelineItem } from "./http.ts";
import { askView } from "./ask.ts";
import { deviceView, elevationView, runnerView } from "./device.ts";
import { projectView, sessionView } from "./session.ts";
import { uuidText } from "./values.ts";
import {
  terminalColumns,
  terminalInput,
  terminalOutput,
  terminalRows,
  terminalSnapshot,
  terminalView,
} from "./terminal.ts";

/**
 * The frames of the live WebSocket, `/api/stream`. Each frame is one JSON object, but for `more`, which
 * is a JSON string. Unknown frames are ignored.
 */

export const clientFrame = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("hello"), version: z.number() }).describe("Begins the stream."),
    z
      .object({ type: z.literal("watch-board"), patches: z.boolean().optional() })
      .describe(
        "Subscribes to the board: all sessions, asks, projects and runners. `patches`: the client understands them; without it every session that changed is sent whole.",
      ),
    z.object({ type: z.literal("leave-board") }).describe("Ends the subscription to the board."),
    z
      .object({
        type: z.literal("watch"),
        session: uuidText,
        epoch: z.string().max(100).optional(),
        rev: z.number().optional(),
        short: z.boolean().optional(),
      })
      .describe(
        "Subscribes to a session. `epoch` and `rev`: what the client has; without them it begins with the newest page. `short`: the client understands `more`, and `continued` of `items`; without it every text is sent whole.",
      ),
    z
      .object({ type: z.literal("leave"), session: uuidText })
      .describe("Ends the subscription to a session."),
    z
      .object({ type: z.literal("terminal-watch"), terminal: uuidText })
      .describe("Subscribes to a terminal: a snapshot, then its output."),
    z
      .object({ type: z.literal("terminal-leave"), terminal: uuidText })
      .describe("Ends the subscription to a terminal."),
    z
      .object({ type: z.literal("terminal-input"), terminal: uuidText, ...terminalInput })
      .describe("What a person types. It takes an approver's device, which signs it."),
    z
      .object({
        type: z.literal("terminal-resize"),
        terminal: uuidText,
        cols: terminalColumns,
        rows: terminalRows,
      })
      .describe("The size of the viewer who types. It takes an approver's device."),
    z
      .object({ type: z.literal("changes-watch"), session: uuidText })
      .describe("Subscribes to changes of the files in a session's folder."),
    z
      .object({ type: z.literal("changes-leave"), session: uuidText })
      .describe("Ends the subscription to changes of the files in a session's folder."),
    z
      .object({ type: z.literal("ping") })
      .describe("Is answered with `pong` at once: a client learns whether the hub still responds."),
    z
      .object({ type: z.literal("ack"), received: z.number() })
      .describe(
        "So many UTF-16 units of frames, counted from the connection's start, have been applied.",
      ),
  ])
  .describe("From a client. The first is `hello`, within five seconds.");
export type ClientFrame = z.infer<typeof clientFrame>;

const fieldChanges = z.object({
  set: z.record(z.string(), z.unknown()).describe("Fields with a new value."),
  unset: z.array(z.string()).optional().describe("Fields that are gone."),
});

export const sessionPatch = fieldChanges
  .extend({ id: uuidText, summary: fieldChanges.optional().describe("Changes of its `summary`.") })
  .describe("What changed of a session that the client has.");
export type SessionPatch = z.infer<typeof sessionPatch>;

export const hubFrame = z
  .discriminatedUnion("type", [
    z
      .object({
        type: z.literal("welcome"),
        version: z.number(),
        hub: z.string(),
        epoch: z.string(),
        device: deviceView,
        auditHead: z.string().describe("The newest head of the audit chain: a device keeps it."),
        now: z
          .number()
          .optional()
          .describe("The hub's clock, in milliseconds: that of the device may be wrong."),
        answersPings: z
          .boolean()
          .optional()
          .describe("Whether this hub answers `ping`; a hub of an older version ignores it."),
        proof: z
          .string()
          .optional()
          .describe(
            "The hub's signature of `streamProofText`, for the ticket that opened the stream.",
          ),
      })
      .describe("Answers `hello`. Nothing else counts before its `proof` was checked."),
    z
      .object({
        type: z.literal("board"),
        rev: z.number(),
        reset: z.boolean(),
        sessions: z.array(sessionView),
        patches: z
          .array(sessionPatch)
          .optional()
          .describe("Sessions of which only the changes are sent."),
        asks: z.array(askView),
        projects: z.array(projectView).optional(),
        runners: z.array(runnerView).optional(),
        terminals: z.array(terminalView).optional().describe("All terminals, if any has changed."),
        gone: z
          .array(uuidText)
          .describe("Sessions that are gone. Asks are gone when their status is no longer `open`."),
        trouble: z
          .string()
          .nullable()
          .optional()
          .describe(
            "The hub cannot store (disk full, read-only, damaged): what it says to a person.",
          ),
      })
      .describe(
        "What changed of the board. Sessions and asks come whole, sessions also as patches to clients that understand them; projects, runners and terminals come as whole lists if one of them changed. `reset`: this is all there is.",
      ),
    z
      .object({
        type: z.literal("items"),
        session: uuidText,
        epoch: z.string(),
        rev: z.number(),
        items: z.array(timelineItem),
        more: z.boolean(),
        reset: z.object({ older: z.boolean() }).optional(),
        continued: z
          .record(z.string(), z.number())
          .optional()
          .describe(
            "Items by id whose `text` was sent from this length on, because the client has what is before it. A client that has less reads the item again.",
          ),
      })
      .describe(
        "Items of a session that changed, whole, in the order of their revisions. After the frames of a catch-up the client has `rev`; `more`: further frames follow. `reset`: forget what you have; these are the newest, `older`: there are more before them.",
      ),
    z
      .object({
        type: z.literal("text"),
        session: uuidText,
        item: z.string(),
        at: z.number(),
        text: z.string(),
      })
      .describe(
        "Live text: append at `at` to the `text` of an item, or to the `inputText` of a call that is being written; at another length, ask for the item again. An item that grows is not sent whole until it settles.",
      ),
    z
      .object({ type: z.literal("more"), text: z.string() })
      .describe(
        "Live text that continues the last live text of this connection. It is sent as a JSON string, which is the `text` alone.",
      ),
    z
      .object({ type: z.literal("terminal-snapshot"), terminal: uuidText, ...terminalSnapshot })
      .describe("The whole screen of a terminal. Output that follows continues from `at`."),
    z
      .object({ type: z.literal("terminal-output"), terminal: uuidText, ...terminalOutput })
      .describe(
        "Output of a terminal. A client that has not the output before `at` subscribes again.",
      ),
    z
      .object({
        type: z.literal("terminal-size"),
        terminal: uuidText,
        cols: z.number(),
        rows: z.number(),
      })
      .describe("A terminal has another size from here on."),
    z
      .object({ type: z.literal("terminal-gone"), terminal: uuidText })
      .describe("The terminal is closed, or never was, or its machine is not connected."),
    z
      .object({
        type: z.literal("changes"),
        session: uuidText,
        paths: z.array(z.string()).optional(),
      })
      .describe(
        "Files in the session's folder have changed, or its index or branch: they can be listed again. `paths`: only these files, from the folder.",
      ),
    z
      .object({ type: z.literal("gone"), session: uuidText })
      .describe("The session was deleted, or never was."),
    z
      .object({ type: z.literal("elevations"), elevations: z.array(elevationView) })
      .describe(
        "All terminals that wait for a confirmation; sent to approvers, at the start and when one changes.",
      ),
    z
      .object({ type: z.literal("draft"), draft: draftView })
      .describe(
        "A message that is being written has changed; sent to drivers, also to the device that changed it.",
      ),
    z
      .object({ type: z.literal("beat") })
      .describe(
        "At least every fifteen seconds: a client that hears nothing for thirty-five takes the link for dead.",
      ),
    z.object({ type: z.literal("pong") }).describe("Answers `ping`."),
    z
      .object({ type: z.literal("refused"), detail: z.string() })
      .describe("Why the hub is about to close the stream."),
  ])
  .describe("From the hub.");
export type HubFrame = z.infer<typeof hubFrame>;
