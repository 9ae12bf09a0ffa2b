import { escapeForTerminal, escapeInJson } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { decode, SignalboxError } from "@signalbox/protocol";
import {
  type Ask,
  type Decision,
  type Driver,
  Host,
  type PromptImage,
  type Launch,
  type LineObserver,
  type Policy,
  type Run,
  type RunEnd,
  stdioDriver,
} from "@signalbox/host";
import { toRunEnd } from "@signalbox/host/launch";
import { isolateGit } from "@signalbox/host/git";
import { Isolation } from "@signalbox/host/isolation";
import type { RunTrust } from "@signalbox/runner/trust";
import { advance, createTimeline, type LogLine } from "@signalbox/timeline";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { createSignalboxFolders, listSignalboxFolders } from "../hub/data-folder.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { createStyle } from "../terminal/style.ts";
import { askOnTerminal } from "./ask-on-terminal.ts";
import { createRunEnded, createRunStarted } from "./log-markers.ts";
import { formatJsonReport } from "./report.ts";
import { Screen } from "./screen.ts";
import { PrintedTurnTracker } from "./turn-tracker.ts";
import { MessagePrinter } from "./message-printer.ts";

interface SingleTurnOptions {
  readonly output: "text" | "json" | "lines" | "events";
  readonly policy: Policy;
  /** Notes that are printed before the agent starts. */
  readonly remarks: readonly string[];
  /** Whether the tokens of the model cost money. */
  readonly priced: boolean;
}

/** The terminal sends Ctrl-C to the whole process group, and a launcher passes its own on: both count as one press. */
const SAME_SIGNAL_MS = 300;

/** Runs one prompt, from the start of the agent to its end. */
export class SingleTurn {
  readonly #options: SingleTurnOptions;
  readonly #tracker = new PrintedTurnTracker();
  readonly #refused: string[] = [];
  readonly #style = createStyle(process.stderr, process.env);
  readonly #screen = new Screen();
  readonly #printer: MessagePrinter;
  readonly #keyboard = Keyboard.isAvailable ? new Keyboard(() => this.#interrupt()) : undefined;
  #timeline = createTimeline();
  #run: Run | undefined;
  #host: Host | undefined;
  #interruptedAt: number | undefined;

  constructor(options: SingleTurnOptions) {
    this.#options = options;
    const { answer, note, sharesScreen: oneScreen } = this.#screen;
    const { priced } = options;
    const screen = process.stderr;
    this.#printer = new MessagePrinter({
      answer,
      note,
      sharesScreen: oneScreen,
      screen,
      style: this.#style,
      priced,
    });
  }

  async run(
    wanted: Launch,
    prompt: { text: string; images: PromptImage[] },
    trust: RunTrust,
  ): Promise<ExitCode> {
    const launch: Launch = { ...wanted, review: trust.review };
    const onSignal = () => this.#interrupt();
    const onClosed = () => void (this.#host ? this.#host.stop() : this.#run?.close());
    process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onClosed);
    process.stdout.on("error", onClosed); // the reader of our output is gone
    process.stderr.on("error", onClosed);
    try {
      const { output, policy, remarks } = this.#options;
      const onAsk = async (ask: Ask, signal: AbortSignal) => {
        const decision = await this.#decide(ask, signal);
        if (decision.behavior === "allow") trust.remember(decision.remember);
        return decision;
      };
      const observer = this.#createObserver();
      const hostOptions = { policy, onAsk, hooks: trust.hooks, observer };
      this.#host = await Host.start(createDriver(), launch, hostOptions);
      await using host = this.#host;
      if (output === "text") this.#printer.printHeader(host.run, remarks);
      this.#printEvents(createRunStarted(host.run, launch, policy));
      const reading = this.#read(host);
      await host.prompt(prompt);
      await Promise.race([this.#tracker.finished, host.closed]);
      const end = await host.stop();
      await reading;
      this.#printEvents(createRunEnded(end));
      return this.#reportEnd(host, end);
    } catch (failure) {
      return this.#reportFailure(failure);
    } finally {
      this.#keyboard?.close();
      process.off("SIGINT", onSignal).off("SIGTERM", onSignal).off("SIGHUP", onClosed);
    }
  }

  /** The run is kept, so that an agent that never answers can be stopped. */
  #createObserver(): LineObserver {
    return {
      onStart: (run) => {
        this.#run = run;
        if (this.#interruptedAt !== undefined) void run.close();
      },
      onIncoming: () => undefined,
      onOutgoing: (line) => this.#printEvents({ from: "host", line: decode(line) }),
    };
  }

  async #read(host: Host): Promise<void> {
    const { output } = this.#options;
    for await (const batch of host.lines) {
      for (const line of batch) {
        if (output === "lines") process.stdout.write(`${formatRawLine(line.raw)}\n`);
        if (output === "text") this.#printer.print(line);
        this.#printEvents({ from: "agent", line });
        this.#tracker.onLine(line);
      }
    }
  }

  /** Prints the events of a line, from either side, if events are wanted. */
  #printEvents(line: LogLine): void {
    if (this.#options.output !== "events") return;
    const { state, events } = advance(this.#timeline, line);
    this.#timeline = state;
    for (const event of events) process.stdout.write(`${formatJsonLine(event)}\n`);
  }

  /** The first press interrupts the turn, the second one stops the agent. */
  #interrupt(): void {
    const now = performance.now();
    const first = this.#interruptedAt === undefined;
    if (this.#interruptedAt !== undefined && now - this.#interruptedAt < SAME_SIGNAL_MS) return;
    this.#interruptedAt = now;
    if (first && this.#host) {
      this.#printer.note(this.#style.yellow("Interrupting… Press Ctrl-C again to stop the agent."));
      this.#host.interrupt().catch(() => {}); // the agent may be exiting already
    } else {
      void this.#run?.close();
    }
  }

  async #decide(ask: Ask, signal: AbortSignal): Promise<Decision> {
    const decision = await this.#ask(ask, signal);
    if (decision.behavior === "deny" && !signal.aborted) {
      this.#refused.push("tool" in ask ? ask.tool : ask.kind);
    }
    return decision;
  }

  async #ask(ask: Ask, signal: AbortSignal): Promise<Decision> {
    const keyboard = this.#keyboard;
    if (!keyboard) {
      const what = "tool" in ask ? ask.tool : `a ${ask.kind}`;
      const remedy =
        ask.kind === "permission"
          ? " Use --allowed-tools, --permission-mode or --policy to allow it."
          : "";
      this.#printer.note(
        this.#style.yellow(
          `! Denied ${escapeForTerminal(what)}: there is no terminal to ask on.${remedy}`,
        ),
      );
      return {
        behavior: "deny",
        message: "This was denied because there is no terminal to ask on.",
      };
    }
    await this.#tracker.waitForRequest(ask.requestId);
    return this.#screen.runExclusive(async (print) => {
      const decision = await askOnTerminal(ask, signal, { keyboard, style: this.#style, print });
      if (signal.aborted) print(this.#style.dim("  (withdrawn)"));
      return decision;
    });
  }

  #reportEnd(host: Host, end: RunEnd): ExitCode {
    const { last, error } = this.#tracker;
    const unexpected = end.kind !== "stopped" && end.kind !== "clean";
    const modelRefused = last?.stop_reason === "refusal";
    const exit = this.#getExitCode(error, unexpected ? end : undefined, modelRefused);
    if (this.#options.output === "json") {
      const { run } = host;
      const message = unexpected ? end.sentence : error;
      const [refused, watch] = [this.#getRefused, this.#tracker];
      console.log(
        formatJsonReport({ ...this.#options, exit, run, watch, refused, error: message, end }),
      );
    } else if (unexpected) {
      this.#printEnd(end);
    }
    return exit;
  }

  /** The denied tools: the agent's own list, and denials that it leaves out, such as elicitations. */
  get #getRefused(): string[] {
    const known = this.#tracker.refused;
    return [...known, ...this.#refused.filter((tool) => !known.includes(tool))];
  }

  #getExitCode(
    error: string | undefined,
    end: RunEnd | undefined,
    modelRefused: boolean,
  ): ExitCode {
    if (this.#interruptedAt !== undefined) return exitCode.interrupted;
    if (end) return exitCodes[end.kind] ?? exitCode.agentError;
    if (this.#getRefused.length > 0 || modelRefused) return exitCode.refused;
    return error === undefined && this.#tracker.last ? exitCode.success : exitCode.agentError;
  }

  #reportFailure(failure: unknown): ExitCode {
    const end = toRunEnd(failure);
    if (!end && !SignalboxError.isAny(failure)) throw failure;
    if (end) this.#printEvents(createRunEnded(end));
    const sentence = end?.sentence ?? (failure as Error).message;
    const wrongInput = SignalboxError.is(failure, "BAD_INPUT");
    const exit = wrongInput ? exitCode.usage : this.#getExitCode(sentence, end, false);
    if (this.#options.output === "json") {
      const refused = this.#refused;
      console.log(formatJsonReport({ ...this.#options, exit, refused, error: sentence, end }));
    } else if (end) {
      this.#printEnd(end);
    } else {
      this.#printer.note(this.#style.red(escapeForTerminal(sentence)));
    }
    return exit;
  }

  #printEnd(end: RunEnd): void {
    this.#printer.note(this.#style.red(`✗ ${escapeForTerminal(end.sentence)}`));
    const lines = end.stderr.split("\n").filter((line) => !end.sentence.includes(line.trim()));
    for (const line of lines.slice(-10))
      this.#printer.note(this.#style.dim(escapeForTerminal(line)));
  }
}

const exitCodes: Partial<Record<RunEnd["kind"], ExitCode>> = {
  "not-found": exitCode.notFound,
  "not-claude-code": exitCode.notFound,
  "folder-unusable": exitCode.notFound,
  "resume-failed": exitCode.notFound,
  "bad-launch": exitCode.usage,
  "option-rejected": exitCode.usage,
};

/** Prints a line byte for byte, or with escaped control characters on a terminal. */
function formatRawLine(raw: string): string {
  return process.stdout.isTTY ? escapeInJson(raw) : raw;
}

function createDriver(): Driver {
  createSignalboxFolders();
  const hide = () => listSignalboxFolders();
  isolateGit(hide);
  return stdioDriver({ isolation: new Isolation({ hide }) });
}
