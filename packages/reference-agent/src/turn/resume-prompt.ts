import type { Prompt } from "@signalbox/agent";

/**
 * Creates the prompt that resumes a session with a deferred call. Hosts are told that it is
 * processed, although they did not send it.
 */
export function createResumePrompt(): Prompt {
  const uuid = crypto.randomUUID();
  return {
    uuid,
    content: "Continue from where you left off.",
    line: { type: "user", uuid, isMeta: true, goesOn: true },
  };
}

export const isResumePrompt = ({ line }: Prompt): boolean => line["goesOn"] === true;
