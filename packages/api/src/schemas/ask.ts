import * as z from "zod";
import { signature } from "./identity.ts";
import { id } from "./session.ts";

const words = z.string().max(100_000);
const fields = z.record(z.string(), z.unknown());

/** In which mode an agent may carry out a plan: those in which a person is still asked. */
export const planMode = z.enum(["default", "acceptEdits"]);
export type PlanMode = z.infer<typeof planMode>;

/** What a person decided. Which of them fit depends on the kind of the ask. */
export const decision = z.discriminatedUnion("behavior", [
  z.strictObject({
    behavior: z.literal("allow"),
    /** The input as edited; without it the stored one runs. */
    input: fields.optional(),
    /** Some of the agent's own suggestions, by their place in the list. */
    remember: z.array(z.int().min(0)).max(50).optional(),
    /** Of a plan: the agent's mode from then on; without it the one before the plan. */
    mode: planMode.optional(),
  }),
  z.strictObject({
    behavior: z.literal("deny"),
    message: words.optional(),
    stop: z.boolean().optional(),
  }),
  z.strictObject({
    behavior: z.literal("answer"),
    answers: z.record(z.string(), z.union([words, z.array(words)])),
  }),
  z.strictObject({ behavior: z.literal("accept"), content: fields }),
  z.strictObject({ behavior: z.literal("result"), result: fields }),
]);
export type HubDecision = z.infer<typeof decision>;

/** An answer names what it answers: another input, another hash, and it is refused. */
export const newAnswer = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{64}$/, "has to be the hash that the ask has"),
  decision,
  /** Of `decisionText`, by the device that answers. The runner checks it before the agent hears anything. */
  signature: signature.optional(),
});
export type NewAnswer = z.infer<typeof newAnswer>;

export const askView = z.object({
  id,
  session: id,
  run: id,
  requestId: z.string(),
  kind: z.enum(["permission", "question", "plan", "elicitation", "dialog"]),
  title: z.string(),
  tool: z.string().optional(),
  callId: z.string().optional(),
  agentId: z.string().optional(),
  /** Of a subagent's ask: what it is called by whoever sent it, as far as that is known. */
  subagent: z
    .object({ type: z.string().optional(), description: z.string().optional() })
    .optional(),
  reason: z.string().optional(),
  /** The path because of which the agent's own rules do not allow it. */
  blockedPath: z.string().optional(),
  /** Whole and exact: what is allowed is what is shown. */
  input: z.unknown(),
  /** SHA-256 over session, tool, canonical input and folder. */
  hash: z.string(),
  suggestions: z.array(z.unknown()),
  openedAt: z.number(),
  expiresAt: z.number().optional(),
  status: z.enum(["open", "answered", "cancelled", "expired"]),
  decision: decision.optional(),
  answeredBy: z.string().optional(),
  answeredAt: z.number().optional(),
});
export type AskView = z.infer<typeof askView>;
