import { errorMessage } from "@signalbox/protocol/text";
import {
  type Driver,
  type Run,
  type Launch,
  type RunEnd,
  Host,
  type Policy,
} from "@signalbox/host";
import { toRunEnd } from "@signalbox/host/launch";
import type { OrderOfKind } from "@signalbox/api/link";
import type { RunLog } from "../link/line-buffer.ts";
import { RunTrust } from "../trust/run-trust.ts";
import type { TrustStore } from "../trust/trust-store.ts";
import type { AgentTerminals } from "./agent-terminals.ts";
import type { Approvers } from "./approvers.ts";
import { OpenAsks } from "./open-asks.ts";
import { RunRecorder } from "./run-recorder.ts";

const MAX_STDERR_LENGTH = 8 * 1024;
const PARKED_SENTENCE = "The session was parked. Your next message wakes it.";
const PARKED_DIALED_SENTENCE = "The session was parked. It goes on when an agent dials in.";

const SETTINGS_CHANGED_SENTENCE =
  "the folder's settings changed while it was being started, and nobody has trusted them. The next message starts it without them.";

interface LiveRunServices {
  readonly trust: TrustStore;
  readonly approvers: Approvers | undefined;
  readonly terminals: AgentTerminals | undefined;
}

/** One run, from its start to the marker that says how it ended. */
export class LiveRun {
  readonly id: string;
  readonly session: string;
  /** The conversation that the run writes to, if that is known before it starts. */
  readonly conversation: string | undefined;
  readonly asks: OpenAsks;
  /** Resolves when the agent is initialized; rejects if it could not be started. */
  readonly started: Promise<Host>;
  /** Resolves when the run's last marker is written. */
  readonly ended: Promise<void>;
  readonly #order: OrderOfKind<"start">;
  readonly #log: RunLog;
  readonly #driver: Driver;
  readonly #recorder: RunRecorder;
  /** Cancels the start of the agent. */
  readonly #startAbort = new AbortController();
  readonly #trust: RunTrust | undefined;
  readonly #terminals: LiveRunServices["terminals"];
  #host: Host | undefined;
  #stopping: "ended" | "parked" | undefined;
  #lastPrompt: Promise<unknown> = Promise.resolve();

  constructor(
    order: OrderOfKind<"start">,
    driver: Driver,
    launch: Launch,
    log: RunLog,
    { trust, approvers, terminals }: LiveRunServices,
  ) {
    this.id = order.run;
    this.session = order.session;
    this.conversation = getConversation(launch);
    this.#order = order;
    this.#log = log;
    this.#driver = driver;
    this.#terminals = terminals;
    this.#recorder = new RunRecorder(log, (run) => {
      this.#showTerminal(run);
      // An agent that is already initialized may send lines at once. The marker has to come before them.
      if (run.initialized) this.#noteStarted(run);
    });
    this.#trust =
      (driver.startsAgents ?? true)
        ? new RunTrust({
            getTrustedIds: (folder) => trust.getTrustedIds(folder),
            onRemember: (folder, ids) => trust.remember(folder, ids),
            onChange: (facts, text) =>
              log.addMarker("remark", { level: "warning", text, trust: facts }),
            onProgramChanged: () => void this.stop("parked"),
          })
        : undefined;
    const { session, run, launch: asked } = order;
    this.asks = new OpenAsks(log, { session, run, folder: asked.folder }, approvers);
    this.started = this.#start(launch);
    this.ended = this.#runToEnd();
  }

  async #start(launch: Launch): Promise<Host> {
    const policy = this.#order.policy as Policy;
    const trust = this.#trust;
    const host = await Host.start(
      this.#driver,
      trust ? { ...launch, review: trust.review } : launch,
      {
        policy,
        observer: this.#recorder,
        bufferLines: false,
        signal: this.#startAbort.signal,
        onAsk: async (ask, signal) => {
          const decision = await this.asks.ask(ask, signal);
          if (decision.behavior === "allow") trust?.remember(decision.remember);
          return decision;
        },
        ...(trust && {
          hooks: trust.hooks,
          callCheck: {
            isNeeded: () => trust.mayRewriteCalls,
            onUnexpectedCall: (call) => this.#log.addMarker("call_marked", { ...call }),
          },
        }),
        onStray: (stray) => {
          if (stray.kind !== "malformed-request") return;
          const text = `The agent asked for something that we cannot read, and was refused: ${stray.why}`;
          this.#log.addMarker("remark", { level: "warning", text });
        },
      },
    );
    if (!host.run.initialized) this.#noteStarted(host.run);
    if (trust?.hasChanged()) {
      await host[Symbol.asyncDispose]();
      throw new Error(SETTINGS_CHANGED_SENTENCE);
    }
    return host;
  }

  #noteStarted({ agent, capabilities, unsupportedOptions, isolation, continues }: Run): void {
    if (continues) return;
    const { driver, status, policy } = this.#order;
    const { remark, ...isolated } = isolation ?? {};
    this.#log.addMarker("run_started", {
      run: this.id,
      status,
      driver,
      policy,
      agent: { ...agent },
      capabilities: { ...capabilities },
      leftOut: unsupportedOptions.map(({ option, why }) => ({ option, why })),
      ...(isolation && { isolation: isolated }),
      ...(this.#trust?.facts && { trust: this.#trust.facts }),
    });
    if (remark !== undefined) this.#log.addMarker("remark", { level: "warning", text: remark });
  }

  #showTerminal(run: Run): void {
    const { terminal, folder } = run;
    if (!terminal) return;
    run.onAnswered = (answer) => this.asks.answeredInTerminal(answer);
    const { id, session } = this;
    const place = { id, session, folder, startedAt: Date.now(), ...terminal.size };
    this.#terminals?.addAgent({ ...place, kind: "agent", name: "Terminal" }, terminal, (by) =>
      terminal.onTyped(by),
    );
  }

  async #runToEnd(): Promise<void> {
    let end: Pick<RunEnd, "kind" | "sentence" | "stderr" | "exit"> | undefined;
    try {
      const host = await this.started;
      this.#host = host;
      end = await host.closed;
    } catch (failure) {
      end = toRunEnd(failure) ?? {
        kind: "not-started",
        sentence: `The agent could not be started: ${errorMessage(failure)}`,
        stderr: "",
      };
    }
    await this.#recorder.complete;
    const { kind } = end;
    // The last screen of a program that ended by itself may say why.
    if (this.#stopping || !this.#host) this.#terminals?.forget(this.id);
    const status = this.#stopping ?? (kind === "clean" || kind === "rotated" ? "ended" : "crashed");
    const isParked = status === "parked" && (kind === "clean" || kind === "stopped");
    const stderr = end.stderr.slice(-MAX_STDERR_LENGTH);
    this.#log.addMarker("run_ended", {
      run: this.id,
      status,
      kind,
      sentence: isParked ? this.#parkedSentence : end.sentence,
      ...end.exit,
      ...(stderr !== "" && { stderr }),
    });
  }

  get #parkedSentence(): string {
    return this.#driver.capabilities.resume ? PARKED_SENTENCE : PARKED_DIALED_SENTENCE;
  }

  /** Sends prompts one after another: each waits until the agent has accepted the one before. */
  async prompt({ text, images, uuid }: OrderOfKind<"prompt">): Promise<{ uuid: string }> {
    const host = await this.started;
    const accepted = this.#lastPrompt.then(() =>
      host.prompt({
        text,
        uuid,
        images: images.map(({ data, name }) => ({
          data: Buffer.from(data, "base64"),
          ...(name !== undefined && { name }),
        })),
      }),
    );
    this.#lastPrompt = accepted.catch(() => {});
    return accepted;
  }

  /** Waits for the start: a run that continues after its host was lost learns only then which asks are open. */
  async decide(order: OrderOfKind<"decide">): Promise<void> {
    await this.started;
    await this.asks.decide(order);
  }

  async stop(status: "ended" | "parked"): Promise<void> {
    this.#stopping ??= status;
    if (this.#host) await this.#host.stop();
    else this.#startAbort.abort();
    await this.ended;
  }
}

/** The conversation that a launch writes to, if the launch names it. */
export function getConversation({ resume, sessionId }: Launch): string | undefined {
  return resume && resume.fork !== true ? resume.id : sessionId;
}
