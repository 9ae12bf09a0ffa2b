import * as z from "zod";

const place = {
  configFolder: z.string().max(4096).describe("A folder of Claude Code's configuration."),
  project: z.string().max(255).describe("The name of a folder in its `projects`."),
  conversation: z.string().max(100).describe("Claude Code's id of the session."),
};

export const transcriptCursor = z.object({
  identity: z.string(),
  offset: z.number(),
  subagents: z.record(z.string(), z.number()),
  isTurnOver: z.literal(true).optional(),
});

/** Orders about the transcripts that Claude Code keeps of its own sessions. */
export const transcriptOrders = [
  z
    .object({
      kind: z.literal("list-transcripts"),
      folders: z
        .array(z.string())
        .describe("Folders of configurations beside the usual one of the runner's user."),
      since: z.int().min(0).describe("The `until` of the last list; 0: everything."),
    })
    .describe("The transcripts that have changed: a `TranscriptList`."),
  z
    .object({
      kind: z.literal("read-transcript"),
      ...place,
      cursor: transcriptCursor.optional().describe("Where to go on; missing: from the beginning."),
      known: z
        .object({
          uuids: z.array(z.string()),
          skip: z
            .boolean()
            .describe("What stands before the last of these messages is known altogether."),
        })
        .optional()
        .describe("Messages that the hub has already."),
    })
    .describe("The next lines of a transcript. Answered with the frame `transcript`."),
] as const;

const listedTranscript = z
  .object({
    ...place,
    size: z.number(),
    writtenAt: z.number().describe("When the file was last written, in milliseconds."),
    folder: z.string().optional(),
    title: z.string().optional(),
    startedAt: z.number().optional(),
    hasMessages: z.boolean(),
    isGone: z.literal(true).optional(),
  })
  .describe("A transcript as the runner lists it.");
export type ListedTranscript = z.infer<typeof listedTranscript>;

export const transcriptList = z
  .object({
    list: z.string().describe("Another one than before: the list begins anew, at 0."),
    until: z.number(),
    more: z.boolean(),
    onBattery: z.boolean(),
    configFolder: z.string().describe("The usual folder of the configuration."),
    transcripts: z.array(listedTranscript),
    problems: z.array(z.object({ path: z.string(), why: z.string() })),
  })
  .describe("The transcripts of a machine that have changed since the last list.");
export type TranscriptList = z.infer<typeof transcriptList>;
