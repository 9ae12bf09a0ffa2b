import * as z from "zod";
import type { Item } from "@signalbox/timeline";
import { auditEntry, deviceView } from "./device.ts";
import { policyName } from "./session-options.ts";
import { shownName } from "./shown-name.ts";
import { programArgument, variableName, visibleValue } from "./values.ts";

export const problemDetails = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    code: z.string().describe("For programs: `not-found`, `stale-hash`, `already-answered`, …"),
  })
  .describe(
    "Every refusal: `application/problem+json` (RFC 9457). `detail` says what happened and what to do.",
  );
export type Problem = z.infer<typeof problemDetails>;

export const cutBody = z
  .object({
    $blob: z.string(),
    bytes: z.number(),
    characters: z.number(),
    head: z.string(),
    tail: z.string(),
  })
  .describe(
    "A body too large to ride inside an item stands there as this: its ends, and where the whole is.",
  );
export type CutBody = z.infer<typeof cutBody>;

export const outputTail = z
  .object({ text: z.string(), bytes: z.number() })
  .describe(
    "`GET /api/sessions/:id/items/:item/output`: the last of it, and how much the whole is.",
  );
export type OutputTail = z.infer<typeof outputTail>;

export const lineView = z
  .object({
    pos: z.number(),
    seq: z.number().nullable(),
    run: z.string().nullable(),
    from: z.enum(["agent", "host", "keeper"]),
    at: z.number(),
    text: z.string().optional().describe("The line as it came; a very large one is in a blob."),
    blob: z.string().optional(),
    flaws: z.record(z.string(), z.unknown()).optional(),
  })
  .describe("Who wrote a line of the log.");
export type LineView = z.infer<typeof lineView>;

/** An item of the timeline. Only the fields that every item has are described. */
export const timelineItem = z.looseObject({
  id: z.string(),
  order: z.number(),
  rev: z.number(),
}) as unknown as z.ZodType<Item>;

export const itemsPage = z.object({
  items: z.array(timelineItem),
  older: z.boolean().describe("There are more before them."),
});
export interface ItemsPage<Item> {
  readonly items: readonly Item[];
  readonly older: boolean;
}

export const linesPage = z.object({
  lines: z.array(lineView),
  more: z.boolean().describe("There are more in the direction of reading."),
});
export type LinesPage = z.infer<typeof linesPage>;

export const agentCommand = z
  .object({
    name: z.string(),
    description: z.string().optional(),
    argumentHint: z.string().optional(),
  })
  .describe("A slash command of the agent, without the slash.");
export type AgentCommand = z.infer<typeof agentCommand>;

export const agentModel = z
  .object({
    value: z.string().describe("What a session's `model` is set to."),
    name: z.string(),
    resolved: z
      .string()
      .optional()
      .describe("The full name of the model, which the agent reports while running."),
    efforts: z.array(z.string()).describe("The effort levels that it supports."),
  })
  .describe("A model that the agent offers.");
export type AgentModel = z.infer<typeof agentModel>;

export const agentAccount = z
  .object({
    apiKeySource: z.string().optional(),
    tokenSource: z.string().optional(),
    subscriptionType: z.string().optional(),
    apiProvider: z.string().optional(),
  })
  .catchall(z.string())
  .describe("The account that the agent uses, as far as it says.");
export type AgentAccount = z.infer<typeof agentAccount>;

export const agentAbilities = z
  .object({
    commands: z.array(agentCommand),
    models: z.array(agentModel),
    account: agentAccount.optional(),
  })
  .describe("What the agent of a session's newest run offers. Empty until the agent has said so.");
export type AgentAbilities = z.infer<typeof agentAbilities>;

export const auditPage = z.object({
  entries: z.array(auditEntry),
  head: z.string().describe("The newest hash of the chain."),
  verified: z
    .object({
      count: z.number(),
      unsigned: z
        .number()
        .optional()
        .describe("So many at the beginning were written before the hub signed its entries."),
      broken: z.number().nullable().describe("The first entry that does not fit."),
      why: z.string().optional().describe("What does not fit, in a sentence."),
    })
    .optional()
    .describe("With `verify=1`: what the check of the whole chain found."),
});
export type AuditPage = z.infer<typeof auditPage>;

export const folderContents = z.object({
  path: z.string(),
  parent: z.string().nullable(),
  folders: z.array(
    z.object({ name: z.string(), repository: z.boolean().describe("It is a Git repository.") }),
  ),
});
export type FolderContents = z.infer<typeof folderContents>;

export const hubView = z.object({
  hub: z.string().describe("The id of the hub."),
  version: z.string(),
  epoch: z.string(),
  auditHead: z.string().describe("The newest hash of the audit log."),
  trouble: z.string().nullable().describe("Why the hub cannot store, in words for a person."),
  databaseCheck: z
    .object({ at: z.number(), problems: z.array(z.string()) })
    .nullable()
    .describe("When the structure of the database was last checked, and what was found."),
  notAudited: z
    .array(z.string())
    .describe(
      "What stands in the database and not in the audit log: somebody else wrote it, and it counts for nothing.",
    ),
  device: deviceView,
});
export type HubView = z.infer<typeof hubView>;

export const environments = z
  .record(shownName(100), z.record(variableName, visibleValue.nullable()))
  .describe(
    "Environment profiles by name: their variables. A value that was set as a secret is null: the API never returns it.",
  );
export type Environments = z.infer<typeof environments>;

export const newEnvironments = z
  .record(
    shownName(100),
    z.record(variableName, z.union([programArgument, visibleValue, z.null()])),
  )
  .describe(
    "Environment profiles by name: their variables. A string is stored as a secret and never returned. `{ value }` is returned to admins. Null keeps what is stored.",
  );
export type NewEnvironments = z.infer<typeof newEnvironments>;

export const sessionDefaults = z
  .strictObject({
    permission: policyName
      .exclude(["autonomous"])
      .describe("The policy of new sessions that name none. For drivers `default` is the loosest."),
    askLimit: z
      .strictObject({
        minutes: z.number().positive().max(100_000),
        onTimeout: z
          .enum(["deny", "deny-and-stop"])
          .describe("What happens to a request that nobody answers in time."),
      })
      .nullable()
      .describe("How long requests wait for an answer. Null: without a limit."),
  })
  .describe("What applies to sessions that do not choose otherwise.");
export type SessionDefaults = z.infer<typeof sessionDefaults>;
