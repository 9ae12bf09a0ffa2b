import type { AgentVersion, Conversation } from "@signalbox/testing/agent-stage";
import type { Decision } from "@signalbox/host";
import type { Stage } from "./stage.ts";

/** What the model says, and what a person does. */
export interface Story {
  /** Told for both versions, unless one of them has no such tools. */
  readonly version?: AgentVersion;
  readonly script: string | ((version: AgentVersion) => string);
  readonly play: (stage: Stage) => Promise<void>;
}
export type Stories = Readonly<Record<string, Story>>;

export const allow = (): Decision => ({ behavior: "allow" });

/** A story of one prompt, in which everything that asks is allowed. */
export function oneTurn(prompt: string, script: Story["script"], version?: AgentVersion): Story {
  const play = async (stage: Stage) => {
    const talk = await stage.start({}, { onAsk: allow });
    await talk.turn(prompt);
  };
  return { script, play, ...(version && { version }) };
}

/** Waits for words of an agent's, and for the end of the turn they are said in. */
export async function untilSaid(talk: Conversation, words: string): Promise<void> {
  await talk.next("assistant", ({ message }) => JSON.stringify(message.content).includes(words));
  await talk.result();
}

/** As `oneTurn`, for what goes on after the first result: it ends with these words. */
export function untilWords(prompt: string, words: string, story: Omit<Story, "play">): Story {
  const play = async (stage: Stage) => {
    const talk = await stage.start({}, { onAsk: allow });
    await talk.host.prompt({ text: prompt });
    await untilSaid(talk, words);
  };
  return { ...story, play };
}

/** A line of a script that calls a tool. */
export function call(tool: string, input: object): string {
  return `tool ${tool} ${JSON.stringify(input)}`;
}
export function bash(command: string, description: string, more: object = {}): string {
  return call("Bash", { command, description, ...more });
}
