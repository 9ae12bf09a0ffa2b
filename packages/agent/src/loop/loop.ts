import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type CloseReason,
  type JsonObject,
  type Line,
  lineText,
  Peer,
  type Transport,
} from "@signalbox/protocol/wire";
import type { Agent, HostCallbacks, InitializeRequest, AgentFactory, Prompt } from "../agent.ts";
import type { AgentOptions } from "../command-line/options.ts";
import { hostCallbacks } from "../peer/host.ts";
import { type PromptMessage, readHostLine } from "../peer/read-input.ts";
import { UnnamedRequests } from "../peer/unnamed-requests.ts";
import type { Session } from "../sessions/open-session.ts";
import { createAgentContext } from "./agent-context.ts";
import { answerControl, checkRequest, isSetting, rewind, type Settings } from "./control.ts";
import { IdleExit } from "./idle-exit.ts";
import { initLine, initializeAnswer } from "./init.ts";
import { OutputQueue } from "./output-queue.ts";
import { hasHostUuid, getPriority, withOrigin } from "./prompt.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { LoopState } from "./session-state.ts";
import type { Sink } from "./sink.ts";
import { RunningTurn } from "./running-turn.ts";
import { HostOutput } from "./host-output.ts";

export interface LoopParts {
  readonly transport: Transport;
  readonly sink: Sink;
  readonly options: AgentOptions;
  readonly environment: Record<string, string | undefined>;
  readonly folder: string;
  readonly isTrusted?: boolean | undefined;
  readonly session: Session;
  readonly createAgent: AgentFactory;
  /** Writes a sentence to the error stream. */
  readonly report: (sentence: string) => void;
}

/** The error when the host disconnects before it answers, in Claude Code's wording. */
const INPUT_CLOSED: CloseReason = {
  kind: "closed",
  sentence: "Tool permission stream closed before response received",
};

/** Drives one agent for one host: reads lines, writes lines, runs one turn at a time. */
export class Loop {
  readonly #parts: LoopParts;
  readonly #output = new OutputQueue<string>();
  readonly #prompts: PromptQueue;
  readonly #peer: Peer;
  readonly #idle: IdleExit;
  readonly #state: LoopState;
  readonly #settings: Settings;
  readonly #unnamed: UnnamedRequests;
  #agent!: Agent;
  #turn: RunningTurn | undefined;
  #working: Promise<void> | undefined;
  #initializing: Promise<unknown> | undefined;
  /** The last request, while others wait for it. */
  #asked: Promise<unknown> | undefined;
  /** Starts the prompts that came before the answer to `initialize` was complete. */
  #early: (() => void)[] | undefined;
  readonly #hostOutput: HostOutput;
  #results = 0;
  #failed = false;
  #leave: () => void = () => {};
  #hasAgent = false;
  #hear: () => void = () => {};
  /** Resolves when the host has sent its first line, or can send none any more. */
  readonly #firstMessage = new Promise<void>((resolve) => (this.#hear = resolve));
  readonly #ordered = new AbortController();
  /** Prompts that waited when the host ended the session. */
  #discarded: readonly Prompt[] = [];

  constructor(parts: LoopParts) {
    this.#parts = parts;
    const { options, environment, session } = parts;
    this.#hostOutput = new HostOutput(options, session, (line) => this.#output.enqueue(line));
    this.#prompts = new PromptQueue(session.prompts);
    this.#unnamed = new UnnamedRequests(options.sdkUrl !== undefined);
    this.#settings = {
      model: options.model,
      permissionMode: options.permissionMode ?? "default",
    };
    this.#peer = new Peer({
      send: (line) => Promise.resolve(this.#output.enqueue(this.#unnamed.restore(line))),
      handlers: {
        initialize: (request) => {
          checkRequest(request);
          return this.#initialize(request as unknown as InitializeRequest);
        },
        interrupt: () => {
          // Keep reading at once. Earlier requests are still answered first.
          const answer = this.#interrupt();
          if (!this.#asked && !this.#initializing) return answer;
          return this.#answerInOrder("interrupt", () => answer);
        },
        end_session: () => this.#endSession(),
        rewind_files: (request) =>
          this.#answerInOrder(request.subtype, () => rewind(request, this.#hostOutput.session)),
        cancel_async_message: (request) => this.#withdraw(String(request["message_uuid"])),
      },
      defaultHandler: (request, { signal }) =>
        this.#answerInOrder(request.subtype, async () => {
          const parts = { agent: this.#agent, settings: this.#settings };
          return (await answerControl(request, signal, parts)) ?? undefined;
        }),
      answersWithdrawn: true,
      onStray: (stray) => {
        if (options.verbose && stray.kind === "unexpected-answer") {
          parts.report(
            `An answer to nothing was passed over: ${stray.requestId ?? "without an id"}`,
          );
        }
      },
    });
    this.#state = new LoopState(environment, (message) => void this.#hostOutput.say(message));
    const delay = environment["CLAUDE_CODE_EXIT_AFTER_STOP_DELAY"];
    this.#idle = new IdleExit(delay, () => this.#leaveWhenSettled());
  }

  /**
   * Runs until the input has ended and all its prompts have been handled. Resolves to the exit
   * code.
   */
  async run(): Promise<number> {
    const { transport, sink, session } = this.#parts;
    const left = new Promise<"left">((resolve) => (this.#leave = () => resolve("left")));
    const writing = this.#write();
    if (session.isResumed) this.#hostOutput.nameSession();
    const own = { host: this.#host(), requestTurn: (prompt: Prompt) => this.#requestTurn(prompt) };
    this.#agent = await this.#parts.createAgent(
      createAgentContext(this.#parts, this.#hostOutput, own),
    );
    if (session.conversation.length > 0) await this.#agent.restore?.(session.conversation);
    this.#hasAgent = true;
    if (this.#prompts.length > 0) this.#runAgentPrompts(this.#firstMessage);
    void transport.closed.then(() => this.#turn?.cutOff());
    const how = await Promise.race([this.#read(), left]);
    this.#hear();
    this.#peer.endInput(INPUT_CLOSED);
    await this.#initializing?.catch(() => {});
    // Errors reach the caller even if no further request comes.
    await this.#peer.waitUntilAnswered();
    this.#peer.end(INPUT_CLOSED);
    if (how === "refused") this.#turn?.cutOff();
    else await this.#finish(how === "left");
    this.#hostOutput.session.transcript.close();
    this.#output.close();
    await writing;
    await sink.end();
    await transport.close();
    return how === "refused" || this.#failed ? 1 : 0;
  }

  /** Aborts the turn, discards waiting prompts, and lets `run` finish. */
  leave(): void {
    this.#prompts.clear();
    this.#turn?.cutOff();
    this.#ordered.abort();
    this.#leave();
  }

  async #write(): Promise<void> {
    const { sink } = this.#parts;
    try {
      for await (const line of this.#output) await sink.say(line);
    } catch {
      this.#turn?.cutOff(); // Nobody reads the output any more.
    }
  }

  async #read(): Promise<"ended" | "refused"> {
    for await (const batch of this.#parts.transport.incoming) {
      for (const line of batch) {
        if (!this.#accept(line)) return "refused";
      }
      this.#hear();
    }
    return "ended";
  }

  #accept(line: Line): boolean {
    const { options, environment, report } = this.#parts;
    const read = readHostLine(line, this.#unnamed);
    switch (read.kind) {
      case "nothing":
        return true;
      case "passed over":
        report(read.why);
        return true;
      case "refused":
        report(read.text);
        return false;
      case "environment":
        Object.assign(environment, read.update.variables);
        if (read.update.answer !== undefined) this.#output.enqueue(read.update.answer);
        return true;
      case "control": {
        const role = this.#peer.accept(read.decoded);
        if (role === "answer" && options.replayUserMessages) this.#output.enqueue(lineText(line));
        return true;
      }
      case "prompt":
        if (this.#early) this.#early.push(() => this.#onPrompt(read.body, read.message));
        else this.#onPrompt(read.body, read.message);
        return true;
      default:
        return read satisfies never;
    }
  }

  #onPrompt(body: JsonObject, { content }: PromptMessage): void {
    const uuid = hasHostUuid({ line: body }) ? String(body["uuid"]) : crypto.randomUUID();
    const line = withOrigin(body);
    const prompt: Prompt = { uuid, content: content === "" ? "(no content)" : content, line };
    const came = this.#prompts.add(prompt);
    if (came !== "added") {
      if (came !== "waits") this.#hostOutput.echo(prompt);
      if (came === "is past") this.#hostOutput.tell([prompt], "completed");
      if (!this.#working) this.#state.idle();
      return;
    }
    if (!this.#working) this.#state.running();
    if (getPriority(prompt) === "now") this.#turn?.endForUrgentPrompt();
    this.#hostOutput.tell([prompt], "queued");
    this.#work();
  }

  /** Runs the waiting prompts turn by turn. Called whenever a prompt is added. */
  #work(after?: Promise<void>): void {
    this.#working ??= this.#runQueuedPrompts(after).finally(() => {
      this.#working = undefined;
      if (this.#prompts.length > 0) return this.#work();
      this.#restIfDone();
    });
  }

  #restIfDone(): void {
    if (this.#working) return;
    const busy = this.#agent.waitUntilIdle?.();
    if (busy) return void busy.finally(() => this.#restIfDone());
    this.#state.idle();
    this.#idle.idle();
  }

  /**
   * Leaves once the work beside turns has ended. That work may start another turn, which is not cut
   * off.
   */
  #leaveWhenSettled(): void {
    const settled = this.#agent.waitUntilSettled?.();
    if (settled) void settled.finally(() => this.#restIfDone());
    else this.#leave();
  }

  /**
   * Runs the waiting prompts. The prompts of a turn are taken at once; prompts that arrive while
   * the agent is not ready wait for the next turn.
   */
  async #runQueuedPrompts(after?: Promise<void>): Promise<void> {
    let prompts = this.#prompts.take();
    this.#idle.busy();
    if (after) await after;
    if (this.#initializing) await this.#initializing.catch(() => {});
    const ready = this.#agent.waitUntilReady?.();
    if (ready) await ready;
    while (isSome(prompts) && !this.#ordered.signal.aborted) {
      await this.#runTurn(prompts);
      prompts = this.#prompts.take();
    }
  }

  async #runTurn(prompts: readonly [Prompt, ...Prompt[]]): Promise<void> {
    this.#turn = new RunningTurn(prompts, {
      agent: this.#agent,
      hostOutput: this.#hostOutput,
      waiting: this.#prompts,
      sayInit: (uuids) => this.#sayInit(uuids),
    });
    this.#failed = await this.#turn.run(this.#results++);
    this.#turn = undefined;
  }

  /**
   * Applies and answers requests that arrive together in their order. Nobody waits for a slow
   * request that sets nothing.
   */
  #answerInOrder<T>(subtype: string, answer: () => T | Promise<T>): Promise<T> {
    const before = this.#asked;
    const done = (async () => {
      await before;
      await this.#initializing;
      return answer();
    })();
    const ended = done.catch(() => {});
    const soon = isSetting(subtype)
      ? ended
      : Promise.race([ended, (before ?? Promise.resolve()).then(nextTurn)]);
    const asked = soon.finally(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    this.#asked = asked;
    return done;
  }

  #interrupt(): object {
    this.#agent.onInterrupt?.();
    this.#turn?.interrupt();
    return { still_queued: this.#prompts.uuids };
  }

  #endSession(): undefined {
    this.#discarded = this.#prompts.clear();
    this.leave();
  }

  #withdraw(uuid: string): object {
    const withdrawn = this.#prompts.withdraw(uuid);
    if (withdrawn) this.#hostOutput.tell([withdrawn], "cancelled");
    return { cancelled: withdrawn !== undefined };
  }

  async #initialize(request: InitializeRequest): Promise<object> {
    const done = (async () => {
      await this.#agent.initialize?.(request);
      return initializeAnswer(await this.#agent.describe?.(), this.#settings);
    })();
    this.#early ??= [];
    this.#initializing = this.#afterInitialize(done);
    this.#initializing.catch(() => {}); // The caller of `initialize` gets the error.
    return done;
  }

  /**
   * Lets prompts and other requests wait until the messages that follow the answer are sent, too.
   */
  async #afterInitialize(answered: Promise<unknown>): Promise<void> {
    try {
      await answered;
      await nextTurn(); // By then the answer itself has been sent.
      const status = this.#agent.authStatus?.() ?? { isAuthenticating: false, output: [] };
      this.#hostOutput.say({ type: "auth_status", ...status });
    } finally {
      this.#initializing = undefined;
      const early = this.#early ?? [];
      this.#early = undefined;
      for (const take of early) take();
    }
  }

  async #sayInit(taken: readonly string[]): Promise<void> {
    const { folder, options } = this.#parts;
    const described = await this.#agent.describe?.();
    const fields = (await described?.init?.()) ?? {};
    this.#hostOutput.say({
      ...initLine(fields, { folder, settings: this.#settings, options }),
      ...(taken.length > 0 && { user_message_uuids: [...taken] }),
    });
  }

  #host(): HostCallbacks {
    const { options, report } = this.#parts;
    return hostCallbacks(this.#peer, {
      asksPermission: options.permissionPromptTool === "stdio",
      report,
      onAsk: () => this.#state.asking(),
      onAnswer: () => this.#state.answered(),
    });
  }

  /**
   * Queues a turn that the agent requests. If the agent requests it before it is created, the turn
   * waits for the agent.
   */
  #requestTurn(prompt: Prompt): void {
    if (this.#prompts.add(prompt) === "added" && this.#hasAgent) this.#runAgentPrompts();
  }

  #runAgentPrompts(after?: Promise<void>): void {
    if (!this.#working) this.#state.running();
    this.#work(after);
  }

  /**
   * Called when the input has ended: handles the remaining prompts, then waits for the agent's
   * remaining work.
   */
  async #finish(isLeaving: boolean): Promise<void> {
    await this.#rest();
    this.#hostOutput.tell(this.#discarded, "discarded");
    const { signal } = this.#ordered;
    const disconnected = new Promise<"gone">((resolve) => {
      void this.#parts.transport.closed.then(() => resolve("gone"));
      signal.addEventListener("abort", () => resolve("gone"));
    });
    let how: unknown = isLeaving || signal.aborted ? "gone" : undefined;
    for (let left = this.#agent.waitUntilSettled?.(); left && how !== "gone";) {
      how = await Promise.race([left, disconnected]);
      await this.#rest();
      left = this.#agent.waitUntilSettled?.();
    }
    await this.#agent.close?.();
    await this.#rest();
  }

  async #rest(): Promise<void> {
    for (let working = this.#working; working; working = this.#working) await working;
  }
}

function isSome<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0;
}
