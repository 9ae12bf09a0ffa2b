import * as z from "zod";
import { agentDecision, personDecision } from "../schemas/ask.ts";
import { publicKey, signature } from "../schemas/identity.ts";
import { launchOptions } from "../schemas/launch.ts";
import { tolerant } from "../schemas/tolerant.ts";
import { folderOrders } from "./folder-orders.ts";
import { transcriptOrders } from "./transcript-orders.ts";

/**
 * Ids on the link. They are not always UUIDs, because agents that connect by themselves bring their
 * own ids.
 */
export const linkId = z.string().min(1).max(100);
const id = linkId;
const allowed = z
  .array(z.string())
  .optional()
  .describe(
    "For a driver: the folders of the machine below which the order may be carried out; none: anywhere.",
  );

export const order = z
  .discriminatedUnion("kind", [
    z
      .object({
        kind: z.literal("start"),
        session: id,
        run: id,
        after: z.int().min(0),
        driver: z.string(),
        policy: z.string(),
        launch: tolerant(launchOptions, z.looseObject({ folder: z.string() })),
        allowed,
        status: z.enum(["new", "resumed", "forked"]).describe("For the note `run_started`."),
      })
      .describe("Starts a run. Its lines are numbered from `after` + 1 on."),
    z
      .object({
        kind: z.literal("prompt"),
        session: id,
        run: id,
        uuid: z.string(),
        text: z.string(),
        images: z.array(z.object({ data: z.base64(), name: z.string().optional() })),
      })
      .describe("A message to the agent."),
    z
      .object({
        kind: z.literal("decide"),
        session: id,
        run: id,
        requestId: z.string(),
        decision: tolerant(agentDecision, z.looseObject({ behavior: z.string() })),
        by: z.string(),
        how: z.enum(["answered", "expired"]).describe("`expired`: nobody answered in time."),
        answer: personDecision
          .optional()
          .describe(
            "The decision as the person made and signed it. The runner makes of it what the agent is told, by itself; `decision` is for runners of the version before, and for what nobody need sign: a denial.",
          ),
        signed: z
          .object({
            by: id,
            signature,
            delegation: z
              .object({ publicKey, session: id, expiresAt: z.number(), signature })
              .optional(),
          })
          .optional(),
      })
      .describe("A person's decision about an ask: a `Decision` of the runner's."),
    z
      .object({
        kind: z.literal("request"),
        session: id,
        run: id,
        subtype: z.string(),
        fields: z.record(z.string(), z.unknown()),
      })
      .describe("A control request to the agent: `interrupt`, `set_model`, `get_context_usage`, …"),
    z
      .object({ kind: z.literal("policy"), session: id, run: id, policy: z.string() })
      .describe("Changes the policy of a run."),
    z
      .object({ kind: z.literal("stop"), session: id, run: id, park: z.boolean() })
      .describe("Ends a run by the ladder. `park`: it is to be woken again."),
    z
      .object({ kind: z.literal("find-agent"), path: z.string().optional() })
      .describe("Looks for a program: its path, version and class."),
    z
      .object({ kind: z.literal("list-folder"), path: z.string().optional(), allowed })
      .describe("The folders in a folder, for a person to choose from."),
    z
      .object({ kind: z.literal("find-files"), folder: z.string(), query: z.string(), allowed })
      .describe(
        "The files under a session's folder whose path holds these letters, for completion.",
      ),
    ...folderOrders,
    ...transcriptOrders,
    z
      .object({ kind: z.literal("make-worktree"), folder: z.string(), branch: z.string(), allowed })
      .describe(
        "A worktree of the folder's repository on this branch; answers with the folder in it.",
      ),
    z
      .object({ kind: z.literal("read-branch"), folder: z.string(), allowed })
      .describe("The Git branch of a folder: `{branch}`, which is missing where there is none."),
    z
      .object({
        kind: z.literal("scan-folder"),
        folder: z.string(),
        addDirs: z.array(z.string()).optional(),
        allowed,
      })
      .describe(
        "What a folder would run or allow if its own settings counted: a `FolderScan` of the runner's.",
      ),
    z
      .object({
        kind: z.literal("trust-folder"),
        folder: z.string(),
        addDirs: z.array(z.string()).optional(),
        hash: z.string(),
        signed: z.object({ by: id, signature }).optional(),
      })
      .describe(
        "Trusts what was shown of a folder, by the hash of it and the signature of an approver.",
      ),
    z
      .object({
        kind: z.literal("distrust-folder"),
        folder: z.string(),
        addDirs: z.array(z.string()).optional(),
      })
      .describe("Keeps what a folder brings off from the next run on."),
    z
      .object({
        kind: z.literal("open-shell"),
        terminal: id,
        session: id,
        name: z.string(),
        folder: z.string(),
        cols: z.number(),
        rows: z.number(),
        allowed,
      })
      .describe("A shell of the person's in a session's folder."),
    z
      .object({ kind: z.literal("rename-terminal"), terminal: id, name: z.string() })
      .describe("Another name for a terminal."),
    z
      .object({ kind: z.literal("close-terminal"), terminal: id })
      .describe("Ends a terminal's program, if it still runs, and forgets the terminal."),
    z
      .object({ kind: z.literal("read-output"), path: z.string() })
      .describe(
        "The end of what a command in the background has printed so far, by the agent's own file.",
      ),
  ])
  .describe("What the hub wants of the runner, in the middle of an order.");
export type Order = z.infer<typeof order>;
export type OrderOfKind<K extends Order["kind"]> = Extract<Order, { kind: K }>;
