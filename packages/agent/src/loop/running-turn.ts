import type { Agent, Prompt, Turn, TurnResult } from "../agent.ts";
import { mergePrompts, hasHostUuid } from "./prompt.ts";
import type { PromptQueue } from "./prompt-queue.ts";
import { createFailedResult, resultLine } from "./result.ts";
import type { HostOutput } from "./host-output.ts";
import { isTranscriptMessage } from "./message-filter.ts";

/** Reasons for a turn to end without answering its prompts. */
const CUT_SHORT =
  /^(aborted|budget_exhausted|api_error|prompt_too_long|image_error|structured_output|tool_deferred_unavailable)/;

interface RunningTurnParts {
  readonly agent: Agent;
  readonly hostOutput: HostOutput;
  /** The queue from which prompts join the turn. */
  readonly waiting: PromptQueue;
  readonly sayInit: (uuids: readonly string[]) => Promise<void>;
}

/**
 * One turn, from the prompts that start it to its result and the messages to the host about them.
 */
export class RunningTurn {
  readonly #parts: RunningTurnParts;
  readonly #prompts: readonly Prompt[];
  /** The prompts as the model and the transcript have them. */
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

  /**
   * Ends the turn because the host asks for it. If the turn is already ending to make way for a
   * prompt, its commands still finish.
   */
  interrupt(): void {
    if (!this.#stop.signal.aborted) this.cutOff();
  }

  /** Aborts the turn and its commands, because nobody waits for them any more. */
  cutOff(): void {
    this.#interruption.abort();
    this.#stop.abort();
  }

  /** Ends the turn because a prompt has arrived that does not wait. */
  endForUrgentPrompt(): void {
    this.#stop.abort();
  }

  /** Runs the turn. Resolves to whether its result is an error. */
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
        queued: waiting.personPromptCount,
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
      // An agent written in JavaScript may return nothing.
      const end: TurnResult | undefined = await agent.turn(this.#turn());
      if (!end) throw new Error("The agent's turn returned nothing: it must say how it ended.");
      return end;
    } catch (failure) {
      return createFailedResult(failure);
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
      say: (message, storedMessage) => {
        if (isTranscriptMessage(message)) this.#keep();
        return hostOutput.say(message, storedMessage);
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

  /**
   * Stores the prompt before any answer to it. It may by then be the first prompt of a new session.
   */
  #keep(): void {
    if (this.#isKept) return;
    this.#isKept = true;
    this.#parts.hostOutput.keep(this.#prompt);
  }

  /** Takes the prompts that join the turn. */
  #steering(): readonly Prompt[] {
    const { hostOutput, waiting } = this.#parts;
    const more = waiting.takeForRunningTurn().map(withContent);
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

/** Returns the prompt with content, because a prompt without text joins a turn, too. */
function withContent(prompt: Prompt): Prompt {
  const { content } = prompt;
  const isBlank = typeof content === "string" && content.trim() === "";
  return isBlank ? { ...prompt, content: "(no content)" } : prompt;
}
