import * as z from "zod";

export const conversationBranch = z
  .object({
    end: z.string().describe("Its last message."),
    from: z
      .string()
      .nullable()
      .describe("The message of the current branch after which it begins; null: at the beginning."),
    prompt: z.string().nullable().describe("Its first message of a person, which is an item."),
    text: z.string().describe("The beginning of that message."),
    messages: z.number(),
    at: z.number().describe("When its last message was written."),
    isCurrent: z.boolean(),
    isReachable: z.boolean().describe("Whether the agent can continue in it."),
  })
  .describe("A branch of a conversation.");
export type ConversationBranch = z.infer<typeof conversationBranch>;

export const conversationBranches = z
  .object({
    current: z.string().nullable().describe("The last message of the current branch."),
    branches: z.array(conversationBranch),
  })
  .describe("The branches of a conversation.");
export type ConversationBranches = z.infer<typeof conversationBranches>;
