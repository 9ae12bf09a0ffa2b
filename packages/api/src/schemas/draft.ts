import * as z from "zod";
import { uuidText } from "./values.ts";

/** The longest draft that the hub keeps, in UTF-16 units. */
const MAX_DRAFT_LENGTH = 256 * 1024;
const mention = z.object({ source: z.string().max(5000), text: z.string().max(MAX_DRAFT_LENGTH) });

const draftName = z
  .string()
  .min(1)
  .max(5000)
  .describe(
    "A session's id, `review/` and a session's id for the comments on its changes, or `new-session/` and what the client adds for a project.",
  );

export const newDraft = z
  .object({
    name: draftName,
    text: z.string().max(MAX_DRAFT_LENGTH),
    mentions: z.array(mention).max(50).default([]).describe("Quotes that the message refers to."),
    attachments: z
      .int()
      .min(0)
      .default(0)
      .describe("How many files are attached. They stay on the device."),
    base: z.int().min(0).describe("The revision that was changed; 0 if there was none."),
  })
  .describe("A message that is being written.");
export type NewDraft = z.input<typeof newDraft>;
/** A draft as the hub reads it. */
export type ReceivedDraft = z.output<typeof newDraft>;

export const draftView = z
  .object({
    name: draftName,
    text: z.string(),
    mentions: z.array(mention),
    attachments: z.number(),
    rev: z.number(),
    at: z.number(),
    device: z
      .object({ id: uuidText.optional(), name: z.string() })
      .describe("Who changed it last."),
  })
  .describe("A message that is being written, as the hub has it. Empty: it was sent or deleted.");
export type DraftView = z.infer<typeof draftView>;

export const draftSaved = z
  .object({
    isSaved: z.boolean(),
    rev: z.number().describe("The hub's revision now."),
  })
  .describe("`isSaved: false`: the draft was changed elsewhere since `base`, and stays as it is.");
export type DraftSaved = z.infer<typeof draftSaved>;
