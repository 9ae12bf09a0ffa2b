import * as z from "zod";
import { signature } from "./identity.ts";
import { uuidText } from "./values.ts";

const longText = z.string().max(100_000);
const fields = z.record(z.string(), z.unknown());

export const planMode = z
  .enum(["default", "acceptEdits"])
  .describe("In which mode an agent may carry out a plan: those in which a person is still asked.");
export type PlanMode = z.infer<typeof planMode>;

export const personDecision = z
  .discriminatedUnion("behavior", [
    z.strictObject({
      behavior: z.literal("allow"),
      input: fields.optional().describe("The input as edited; without it the stored one runs."),
      remember: z
        .array(z.int().min(0))
        .max(50)
        .optional()
        .describe("Some of the agent's own suggestions, by their place in the list."),
      mode: planMode
        .optional()
        .describe("Of a plan: the agent's mode from then on; without it the one before the plan."),
    }),
    z.strictObject({
      behavior: z.literal("deny"),
      message: longText.optional(),
      stop: z.boolean().optional(),
    }),
    z.strictObject({
      behavior: z.literal("answer"),
      answers: z.record(z.string(), z.union([longText, z.array(longText)])),
    }),
    z.strictObject({ behavior: z.literal("accept"), content: fields }),
    z.strictObject({ behavior: z.literal("result"), result: fields }),
  ])
  .describe("What a person decided. Which of them fit depends on the kind of the ask.");
export type HubDecision = z.infer<typeof personDecision>;

/** The decision as the agent gets it, made from the person's decision and the ask. */
export const agentDecision = z.discriminatedUnion("behavior", [
  z.object({
    behavior: z.literal("allow"),
    input: fields.exactOptional().describe("The input with which the tool runs."),
    remember: z
      .array(z.looseObject({ type: z.string() }))
      .exactOptional()
      .describe("Suggestions of the agent that it shall remember."),
  }),
  z.object({
    behavior: z.literal("deny"),
    message: z.string().describe("Reaches the agent as the tool's result."),
    stop: z.boolean().exactOptional().describe("Ends the agent's turn, too."),
  }),
  z.object({
    behavior: z.literal("answer"),
    answers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .describe("The chosen labels, or other words, by the text of the question."),
  }),
  z.object({ behavior: z.literal("accept"), content: fields }).describe("For an elicitation."),
  z.object({ behavior: z.literal("result"), result: fields }).describe("For a dialog."),
]);
export type AgentDecision = z.infer<typeof agentDecision>;

export const newAnswer = z
  .strictObject({
    hash: z.string().regex(/^[0-9a-f]{64}$/, "must be the hash that the ask has"),
    decision: personDecision,
    signature: signature
      .optional()
      .describe(
        "Of `decisionText`, by the device that answers. The runner checks it before the agent hears anything.",
      ),
  })
  .describe("An answer names what it answers: another input, another hash, and it is refused.");
export type NewAnswer = z.infer<typeof newAnswer>;

export const askView = z.object({
  id: uuidText,
  session: uuidText,
  run: uuidText,
  requestId: z.string(),
  kind: z.enum(["permission", "question", "plan", "elicitation", "dialog"]),
  title: z.string(),
  tool: z.string().optional(),
  callId: z.string().optional(),
  agentId: z.string().optional(),
  subagent: z
    .object({ type: z.string().optional(), description: z.string().optional() })
    .optional()
    .describe(
      "Of a subagent's ask: what it is called by whoever sent it, as far as that is known.",
    ),
  reason: z.string().optional(),
  blockedPath: z
    .string()
    .optional()
    .describe("The path because of which the agent's own rules do not allow it."),
  input: z.unknown().describe("Whole and exact: what is allowed is what is shown."),
  hash: z.string().describe("SHA-256 over session, tool, canonical input and folder."),
  suggestions: z.array(z.unknown()),
  openedAt: z.number(),
  expiresAt: z.number().optional(),
  stopsAtExpiry: z
    .boolean()
    .optional()
    .describe("If nobody answers in time, the agent's turn is stopped as well."),
  status: z.enum(["open", "answered", "cancelled", "expired"]),
  decision: personDecision.optional(),
  answeredBy: z.string().optional(),
  answeredAt: z.number().optional(),
});
export type AskView = z.infer<typeof askView>;
