import { failureText } from "@signalbox/protocol/wire";
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
import type { Approvers } from "./approvers.ts";
import { OpenAsks } from "./open-asks.ts";
import { RunRecorder } from "./run-recorder.ts";

const STDERR_TOLD = 8 * 1024;
const PARKED = "The session was parked. Your next message wakes it.";
const PARKED_FAR = "The session was parked. It goes on when an agent dials in.";

const CHANGED =
  "the folder's settings changed while it was being started, and nobody has trusted them. The next message starts it without them.";

/** One run from its start to the note that it is over. */
export class LiveRun {
  readonly id: string;
  readonly session: string;
  /** The conversation that it writes to, where that is known beforehand. */
  readonly conversation: string | undefined;
  readonly asks: OpenAsks;
  /** Settles when the agent is initialized; rejects with what kept it from that. */
  readonly started: Promise<Host>;
  /** Settles when the last note is written. */
  readonly over: Promise<void>;
  readonly #order: OrderOfKind<"start">;
  readonly #log: RunLog;
  readonly #driver: Driver;
  readonly #recorder: RunRecorder;
  /** Gives the run up while it is only about to begin. */
  readonly #unwanted = new AbortController();
  readonly #trust: RunTrust | undefined;
  #host: Host | undefined;
  #stopping: "ended" | "parked" | undefined;
  #lastPrompt: Promise<unknown> = Promise.resolve();

  constructor(
    order: OrderOfKind<"start">,
    driver: Driver,
    launch: Launch,
    log: RunLog,
    { trust, approvers }: { trust: TrustStore; approvers: Approvers | undefined },
  ) {
    this.id = order.run;
    this.session = order.session;
    this.conversation = getConversation(launch);
    this.#order = order;
    this.#log = log;
    this.#driver = driver;
    this.#recorder = new RunRecorder(log, (run) => {
      // Who was initialized before may speak at once: its run begins before its words.
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
    this.over = this.#live();
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
        signal: this.#unwanted.signal,
        onAsk: async (ask, signal) => {
          const decision = await this.asks.ask(ask, signal);
          if (decision.behavior === "allow") trust?.remember(decision.remember);
          return decision;
        },
        ...(trust && {
          hooks: trust.hooks,
          callCheck: {
            isNeeded: () => trust.mayRewriteCalls,
            onMark: (mark) => this.#log.addMarker("call_marked", { ...mark }),
          },
        }),
        onStray: (stray) => {
          if (stray.kind !== "misshapen-request") return;
          const text = `The agent asked for something that we cannot read, and was refused: ${stray.why}`;
          this.#log.addMarker("remark", { level: "warning", text });
        },
      },
    );
    if (!host.run.initialized) this.#noteStarted(host.run);
    if (trust?.hasChanged()) {
      await host[Symbol.asyncDispose]();
      throw new Error(CHANGED);
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

  async #live(): Promise<void> {
    let end: Pick<RunEnd, "kind" | "sentence" | "stderr" | "exit"> | undefined;
    try {
      const host = await this.started;
      this.#host = host;
      end = await host.closed;
    } catch (failure) {
      end = toRunEnd(failure) ?? {
        kind: "not-started",
        sentence: `The agent could not be started: ${failureText(failure)}`,
        stderr: "",
      };
    }
    await this.#recorder.complete;
    const { kind } = end;
    const status = this.#stopping ?? (kind === "clean" || kind === "rotated" ? "ended" : "crashed");
    const rests = status === "parked" && (kind === "clean" || kind === "stopped");
    const stderr = end.stderr.slice(-STDERR_TOLD);
    this.#log.addMarker("run_ended", {
      run: this.id,
      status,
      kind,
      sentence: rests ? this.#parked : end.sentence,
      ...end.exit,
      ...(stderr !== "" && { stderr }),
    });
  }

  get #parked(): string {
    return this.#driver.capabilities.resume ? PARKED : PARKED_FAR;
  }

  /** One prompt after the other: the next waits until the agent has taken the last. */
  async prompt({ text, images, uuid }: OrderOfKind<"prompt">): Promise<{ uuid: string }> {
    const host = await this.started;
    const taken = this.#lastPrompt.then(() =>
      host.prompt({
        text,
        uuid,
        images: images.map(({ data, name }) => ({
          data: Buffer.from(data, "base64"),
          ...(name !== undefined && { name }),
        })),
      }),
    );
    this.#lastPrompt = taken.catch(() => {});
    return taken;
  }

  /** A run that goes on after its host was lost knows what its agent waits for once that is back. */
  async decide(order: OrderOfKind<"decide">): Promise<void> {
    await this.started;
    await this.asks.decide(order);
  }

  async stop(status: "ended" | "parked"): Promise<void> {
    this.#stopping ??= status;
    if (this.#host) await this.#host.stop();
    else this.#unwanted.abort();
    await this.over;
  }
}

/** The conversation that a launch writes to, where it is named. */
export function getConversation({ resume, sessionId }: Launch): string | undefined {
  return resume && resume.fork !== true ? resume.id : sessionId;
}
