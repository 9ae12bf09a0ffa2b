/** Steps from prompt to prompt; registered by the conversation that is shown. */
type Step = (direction: 1 | -1) => void;

const steps = new Map<string, Step>();

/** Registers the conversation of a session. Returns a function that removes it again. */
export function registerPromptSteps(session: string, step: Step): () => void {
  steps.set(session, step);
  return () => {
    if (steps.get(session) === step) steps.delete(session);
  };
}

/** Scrolls to the previous or next prompt. Returns whether the conversation is shown. */
export function requestPromptStep(session: string, direction: 1 | -1): boolean {
  const step = steps.get(session);
  step?.(direction);
  return step !== undefined;
}
