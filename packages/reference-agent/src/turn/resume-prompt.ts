import type { Prompt } from "@signalbox/agent";

/** What begins a session again in which a call waits. Hosts hear that it is worked on, and it is no
 * prompt of theirs. */
export function createResumePrompt(): Prompt {
  const uuid = crypto.randomUUID();
  return {
    uuid,
    content: "Continue from where you left off.",
    line: { type: "user", uuid, isMeta: true, goesOn: true },
  };
}

export const isResumePrompt = ({ line }: Prompt): boolean => line["goesOn"] === true;
