import type { Agent, Prompt, Turn, TurnResult } from "../agent.ts";
import { mergePrompts, hasHostUuid } from "./prompt.ts";
import type { PromptQueue } from "./prompt-queue.ts";
import { failedEnd, resultLine } from "./result.ts";
import type { HostOutput } from "./host-output.ts";
import { isTranscriptMessage } from "./message-filter.ts";

/** Why a turn ends whose prompts were not done justice. */
const CUT_SHORT =
  /^(aborted|budget_exhausted|api_error|prompt_too_long|image_error|structured_output|tool_deferred_unavailable)/;

interface RunningTurnParts {
  readonly agent: Agent;
  readonly hostOutput: HostOutput;
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
    this.#prompt = mergePrompts(prompts);
    this.#uuids = prompts.filter(hasHostUuid).map(({ uuid }) => uuid);
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
    const { hostOutput, waiting } = this.#parts;
    const began = performance.now();
    const prompt = this.#prompt;
    const others = this.#prompts.filter((one) => hasHostUuid(one) && one.uuid !== prompt.uuid);
    for (const one of others) hostOutput.echo(one);
    hostOutput.tell(this.#prompts, "started");
    if (prompt.line["isSynthetic"] !== true) hostOutput.echoSoon(prompt);
    const end = await this.#end();
    this.#keep();
    hostOutput.tell(this.#steered, "completed");
    hostOutput.say(
      resultLine(end, {
        durationMs: Math.round(performance.now() - began),
        ...(hasHostUuid(prompt) && { prompt: prompt.uuid }),
        prompts: this.#uuids,
        queued: waiting.human,
        index,
      }),
    );
    hostOutput.tell(this.#prompts, this.#isCancelled(end) ? "cancelled" : "completed");
    return end.is_error;
  }

  async #end(): Promise<TurnResult> {
    const { agent, hostOutput } = this.#parts;
    try {
      await hostOutput.session.checkpoints.begin(this.#prompt.uuid);
      const end: TurnResult | undefined = await agent.turn(this.#turn()); // JavaScript may return nothing
      if (!end) throw new Error("The agent's turn returned nothing: it must say how it ended.");
      return end;
    } catch (failure) {
      return failedEnd(failure);
    }
  }

  #turn(): Turn {
    const { hostOutput } = this.#parts;
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
        if (isTranscriptMessage(message)) this.#keep();
        return hostOutput.say(message, kept);
      },
      record: (message) => {
        this.#keep();
        hostOutput.session.transcript.add({
          ...message,
          uuid: message.uuid ?? crypto.randomUUID(),
        });
      },
      startOver: (titleOfOld) => hostOutput.startOver(titleOfOld),
      rename: (title) => hostOutput.rename(title),
      echoAs: (content) => hostOutput.echoAs(content),
      echoLate: (content) => hostOutput.echoLate(content),
      steering: () => this.#steering(),
    };
  }

  /** It is kept before anything that is said to it; by then it may be the first of a new session. */
  #keep(): void {
    if (this.#isKept) return;
    this.#isKept = true;
    this.#parts.hostOutput.keep(this.#prompt);
  }

  /** Prompts that are taken into the turn. */
  #steering(): readonly Prompt[] {
    const { hostOutput, waiting } = this.#parts;
    const more = waiting.takeAlong().map(withContent);
    for (const one of more) {
      hostOutput.keep(one);
      hostOutput.echoNow(one);
    }
    const named = more.filter(hasHostUuid);
    hostOutput.tell(named, "started");
    this.#steered.push(...named);
    const people = named.filter(({ line }) => line["isSynthetic"] !== true);
    this.#uuids.push(...people.map(({ uuid }) => uuid));
    return more;
  }

  #isCancelled({ terminal_reason: why = "" }: TurnResult): boolean {
    return this.#stop.signal.aborted || CUT_SHORT.test(why);
  }
}

/** One that says nothing joins a turn all the same. */
function withContent(prompt: Prompt): Prompt {
  const { content } = prompt;
  const isBlank = typeof content === "string" && content.trim() === "";
  return isBlank ? { ...prompt, content: "(no content)" } : prompt;
}
