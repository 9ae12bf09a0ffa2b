import type { Agent, Prompt, Turn, TurnEnd } from "../agent.ts";
import { asOne, isNamed } from "./prompt.ts";
import type { PromptQueue } from "./prompt-queue.ts";
import { failedEnd, resultLine } from "./result.ts";
import type { Voice } from "./voice.ts";
import { isConversation } from "./wanted.ts";

/** Why a turn ends whose prompts were not done justice. */
const CUT_SHORT =
  /^(aborted|budget_exhausted|api_error|prompt_too_long|image_error|structured_output|tool_deferred_unavailable)/;

export interface RunningTurnParts {
  readonly agent: Agent;
  readonly voice: Voice;
  /** Where it takes from what arrives meanwhile. */
  readonly waiting: PromptQueue;
  readonly sayInit: (uuids: readonly string[]) => Promise<void>;
}

/** One turn, from the prompts that begin it to its result and what hosts are told about them. */
export class RunningTurn {
  readonly #parts: RunningTurnParts;
  readonly #prompts: readonly Prompt[];
  /** What they are to the model and in the transcript. */
  readonly #prompt: Prompt;
  readonly #steered: Prompt[] = [];
  readonly #uuids: string[];
  readonly #stop = new AbortController();
  readonly #interruption = new AbortController();
  #isKept = false;

  constructor(prompts: readonly [Prompt, ...Prompt[]], parts: RunningTurnParts) {
    this.#parts = parts;
    this.#prompts = prompts;
    this.#prompt = asOne(prompts);
    this.#uuids = prompts.filter(isNamed).map(({ uuid }) => uuid);
  }

  /** The host wants it to end. One that makes way for a prompt ends already, and its commands with it
   * when they are done. */
  interrupt(): void {
    if (!this.#stop.signal.aborted) this.cutOff();
  }

  /** Nobody waits for it any more: its commands end, too. */
  cutOff(): void {
    this.#interruption.abort();
    this.#stop.abort();
  }

  /** A prompt has come that does not wait. */
  makeWay(): void {
    this.#stop.abort();
  }

  /** Whether its result is an error. */
  async run(index: number): Promise<boolean> {
    const { voice, waiting } = this.#parts;
    const began = performance.now();
    const prompt = this.#prompt;
    const others = this.#prompts.filter((one) => isNamed(one) && one.uuid !== prompt.uuid);
    for (const one of others) voice.echo(one);
    voice.tell(this.#prompts, "started");
    if (prompt.line["isSynthetic"] !== true) voice.echoSoon(prompt);
    const end = await this.#end();
    this.#keep();
    voice.tell(this.#steered, "completed");
    voice.say(
      resultLine(end, {
        durationMs: Math.round(performance.now() - began),
        ...(isNamed(prompt) && { prompt: prompt.uuid }),
        prompts: this.#uuids,
        queued: waiting.human,
        index,
      }),
    );
    voice.tell(this.#prompts, this.#isCancelled(end) ? "cancelled" : "completed");
    return end.is_error;
  }

  async #end(): Promise<TurnEnd> {
    const { agent, voice } = this.#parts;
    try {
      await voice.session.checkpoints.begin(this.#prompt.uuid);
      const end: TurnEnd | undefined = await agent.turn(this.#turn()); // JavaScript may return nothing
      if (!end) throw new Error("The agent's turn returned nothing: it must say how it ended.");
      return end;
    } catch (failure) {
      return failedEnd(failure);
    }
  }

  #turn(): Turn {
    const { voice } = this.#parts;
    return {
      prompts: this.#prompts,
      prompt: this.#prompt,
      signal: this.#stop.signal,
      interruption: this.#interruption.signal,
      sayInit: () => {
        this.#keep();
        return this.#parts.sayInit(this.#uuids);
      },
      say: (message, kept) => {
        if (isConversation(message)) this.#keep();
        return voice.say(message, kept);
      },
      record: (message) => {
        this.#keep();
        voice.session.transcript.add({ ...message, uuid: message.uuid ?? crypto.randomUUID() });
      },
      startOver: (titleOfOld) => voice.startOver(titleOfOld),
      rename: (title) => voice.rename(title),
      echoAs: (content) => voice.echoAs(content),
      echoLate: (content) => voice.echoLate(content),
      steering: () => this.#steering(),
    };
  }

  /** It is kept before anything that is said to it; by then it may be the first of a new session. */
  #keep(): void {
    if (this.#isKept) return;
    this.#isKept = true;
    this.#parts.voice.keep(this.#prompt);
  }

  /** Prompts that are taken into the turn. */
  #steering(): readonly Prompt[] {
    const { voice, waiting } = this.#parts;
    const more = waiting.takeAlong().map(withContent);
    for (const one of more) {
      voice.keep(one);
      voice.echoNow(one);
    }
    const named = more.filter(isNamed);
    voice.tell(named, "started");
    this.#steered.push(...named);
    const people = named.filter(({ line }) => line["isSynthetic"] !== true);
    this.#uuids.push(...people.map(({ uuid }) => uuid));
    return more;
  }

  #isCancelled({ terminal_reason: why = "" }: TurnEnd): boolean {
    return this.#stop.signal.aborted || CUT_SHORT.test(why);
  }
}

/** One that says nothing joins a turn all the same. */
function withContent(prompt: Prompt): Prompt {
  const { content } = prompt;
  const isBlank = typeof content === "string" && content.trim() === "";
  return isBlank ? { ...prompt, content: "(no content)" } : prompt;
}
