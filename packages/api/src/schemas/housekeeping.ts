import * as z from "zod";

export const housekeeping = z
  .strictObject({
    archiveAfterDays: z
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .describe(
        "After how many days without activity a session is archived; null: never. Pinned sessions, and those that need a person, stay.",
      ),
  })
  .describe("What the hub does with sessions that nobody uses any more.");
export type Housekeeping = z.infer<typeof housekeeping>;
