import type { NewPrompt, NewSession } from "@signalbox/api";

interface DemoSession extends Omit<NewSession, "folder"> {
  /** Sent after the first turn. */
  readonly followUp?: NewPrompt;
}

/** The sessions that a demo begins with. Their prompts choose the scenes of `demo/sessions.script`. */
export const demoSessions: readonly DemoSession[] = [
  {
    title: "Count bytes, not characters",
    prompt: { text: "The limit of a line should count bytes, not characters. Add a test." },
    policy: "accept-edits",
  },
  {
    title: "Find the best batch size",
    prompt: { text: "How many rows should a batch have? Measure sizes from 1 to 10,000." },
  },
  {
    title: "Write the changelog",
    prompt: { text: "What has changed since 0.3.0?" },
    followUp: { text: "Write the changelog entry." },
  },
  {
    title: "Split the sync module",
    prompt: { text: "Split src/sync.js into reading and comparing. Show me a plan first." },
    mode: "plan",
  },
  {
    title: "Fix the flaky reader test",
    prompt: { text: "The reader test fails now and then. Find out why and fix it." },
  },
];
