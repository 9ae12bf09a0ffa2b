import * as z from "zod";
import { uuidText } from "./values.ts";
import { shownName } from "./shown-name.ts";

/** A terminal's size is limited where it is set; these bounds only keep nonsense out. */
export const terminalColumns = z.int().min(1).max(100_000);
export const terminalRows = z.int().min(1).max(100_000);

export const terminalView = z
  .object({
    id: uuidText,
    session: uuidText,
    kind: z
      .enum(["shell", "agent"])
      .describe("`shell`: a person's shell; `agent`: the agent in its own terminal UI."),
    name: z.string(),
    folder: z.string(),
    startedAt: z.number(),
    cols: z.number(),
    rows: z.number(),
    end: z
      .object({ exitCode: z.number().nullable(), signal: z.string().nullable(), at: z.number() })
      .optional()
      .describe("Its program has ended. The last screen can be seen until the terminal is closed."),
  })
  .describe("A terminal beside a session, owned by the session's machine.");
export type TerminalView = z.infer<typeof terminalView>;

export const newShell = z
  .strictObject({
    name: shownName(100).optional().describe("`Shell 1` and so on unless said."),
    cols: terminalColumns.optional(),
    rows: terminalRows.optional(),
  })
  .describe("What a shell is opened with.");
export type NewShell = z.infer<typeof newShell>;

export const terminalChange = z.strictObject({ name: shownName(100) });
export type TerminalChange = z.infer<typeof terminalChange>;

/** Typed text, signed by the device of the person who typed it. */
export const terminalInput = {
  data: z.string().max(256 * 1024),
  source: z.string().min(1).max(100).describe("Random for each page or program that types."),
  count: z.int().min(1).describe("Grows with each piece of a source."),
  signature: z.string().max(200).describe("Of `terminalInputText`, by the approver's device."),
};

const at = z.number().describe("Where it begins in the stream, in UTF-16 units.");
const epoch = z.string().describe("Another one means that the stream has begun anew.");

/** What a terminal shows, as the runner sends it to the hub and the hub to clients. */
export const terminalSnapshot = {
  instance: z
    .string()
    .describe("Random for each terminal, also of the same id. What is typed is signed with it."),
  epoch,
  at,
  cols: z.number(),
  rows: z.number(),
  text: z.string().describe("Output that draws the screen again on an empty terminal."),
};
export const terminalOutput = { epoch, at, text: z.string() };
