import { escapeForTerminal } from "@signalbox/protocol/text";
import { type AskView, HubError } from "@signalbox/client";
import { toCommandError } from "../command-error.ts";
import type { LocalHub } from "../hub/local-hub.ts";
import { askOnTerminal, formatBlockedPath } from "../run/ask-on-terminal.ts";
import { formatToolInput } from "../run/describe-tool.ts";
import type { Screen } from "../run/screen.ts";
import type { Ask, Decision } from "@signalbox/host";
import type { Keyboard } from "../terminal/keyboard.ts";
import { getColumns, hangIndent } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { toTerminalAsk, toHubDecision } from "./convert-ask.ts";
import { type Elevation, elevateTerminal, isTemporary } from "./elevation.ts";

interface AskPrompterOptions {
  readonly hub: LocalHub;
  /** Undefined if there is no terminal to ask on. */
  readonly keyboard: Keyboard | undefined;
  readonly style: Style;
  readonly screen: Screen;
  readonly note: (text: string) => void;
  /** Called before a question is put on the terminal. */
  readonly onAsk: () => void;
  /** Called when a question is no longer on the terminal. */
  readonly onAsked: () => void;
  readonly signal: AbortSignal;
}

/**
 * Shows the asks of a session on the terminal as they arrive. They can be answered here after an approver's
 * device has confirmed this terminal, because an agent can type everything that a shell can type.
 */
export class AskPrompter {
  readonly #options: AskPrompterOptions;
  /** The asks that are shown or being answered here, with the controller that withdraws each question. */
  readonly #open = new Map<string, AbortController>();
  #askingCount = 0;
  #elevating: Promise<Elevation | "refused" | "expired"> | undefined;
  #elevation: Elevation | undefined;

  constructor(options: AskPrompterOptions) {
    this.#options = options;
  }

  /** Whether a question is on the terminal, or will be in a moment. */
  get isAsking(): boolean {
    return this.#askingCount > 0;
  }

  update(asks: readonly AskView[], closed: readonly AskView[]): void {
    for (const ask of asks) if (!this.#open.has(ask.id)) this.#showAsk(ask);
    for (const [id, withdraw] of this.#open) {
      if (asks.some((ask) => ask.id === id)) continue;
      this.#open.delete(id);
      withdraw.abort(closed.find((ask) => ask.id === id));
    }
  }

  close(): void {
    for (const withdraw of this.#open.values()) withdraw.abort();
    this.#elevation?.[Symbol.dispose]();
  }

  #showAsk(ask: AskView): void {
    const withdraw = new AbortController();
    this.#open.set(ask.id, withdraw);
    this.#answer(ask, withdraw.signal).catch((failure: unknown) => {
      const known = toCommandError(failure);
      if (known) this.#options.note(known.message);
      else if (!this.#options.signal.aborted && !withdraw.signal.aborted) throw failure;
    });
  }

  async #answer(view: AskView, signal: AbortSignal): Promise<void> {
    const { keyboard, note: remark, style } = this.#options;
    const ask = toTerminalAsk(view);
    if (!keyboard || !ask) {
      remark(
        `${style.yellow("▲")} Needs an answer on another device: ${escapeForTerminal(view.title)}`,
      );
      return;
    }
    if (!this.#elevation) this.#printAsk(view);
    for (;;) {
      const elevation = this.#elevation ?? (await this.#ensureElevated(signal));
      if (!elevation || signal.aborted) return;
      const decision = await this.#decide(ask, signal, keyboard);
      // A person who leaves has not denied anything.
      if (signal.aborted || keyboard.isClosed || this.#options.signal.aborted) return;
      if (await this.#sendDecision(elevation, view, decision)) return;
    }
  }

  async #decide(ask: Ask, signal: AbortSignal, keyboard: Keyboard): Promise<Decision> {
    const { style, screen } = this.#options;
    this.#askingCount++;
    const decision = await screen
      .runExclusive(async (print) => {
        this.#options.onAsk();
        const decided = await askOnTerminal(ask, signal, { keyboard, style, print });
        // A person who leaves has not closed the ask either.
        const closed = signal.aborted && !this.#options.signal.aborted;
        if (closed) print(style.dim(`  (${describeClosing(signal)})`));
        return decided;
      })
      .finally(() => this.#askingCount--);
    this.#options.onAsked();
    return decision;
  }

  /** Returns false if the hub did not take the decision and the question is still open. */
  async #sendDecision({ hub }: Elevation, view: AskView, decision: Decision): Promise<boolean> {
    try {
      await hub.answer(view.id, { hash: view.hash, decision: toHubDecision(decision, view) });
    } catch (failure) {
      if (!HubError.is(failure)) throw failure;
      if (failure.status === 401) this.#forgetElevation(hub);
      else if (isTemporary(failure))
        this.#options.note(`${failure.message} Couldn't send your answer.`);
      else throw failure;
      return false;
    }
    return true;
  }

  /** The elevation is no longer valid, for example after a restart of the hub. */
  #forgetElevation(hub: Elevation["hub"]): void {
    if (this.#elevation?.hub !== hub) return; // another question has replaced it already
    this.#elevation[Symbol.dispose]();
    this.#elevation = undefined;
    this.#options.note("The hub no longer knows this terminal. Couldn't send your answer.");
  }

  /** Undefined if the confirmation was refused or the question is closed. All asks share one confirmation request. */
  async #ensureElevated(signal: AbortSignal): Promise<Elevation | undefined> {
    while (!signal.aborted && !this.#elevation) {
      this.#elevating ??= this.#requestElevation().finally(() => (this.#elevating = undefined));
      const result = await this.#elevating;
      if (result === "refused") return undefined;
      if (result !== "expired") this.#elevation = result;
    }
    return this.#elevation;
  }

  /** Prints the ask, for a person who answers it on another device. */
  #printAsk({ title, tool, input, reason, blockedPath }: AskView): void {
    const { note: remark, style } = this.#options;
    remark(`${style.yellow("▲")} Needs an answer: ${escapeForTerminal(tool ?? title)}`);
    const look = { style, columns: getColumns(process.stderr) - 4 };
    if (typeof input === "object" && input !== null)
      for (const line of formatToolInput(input as Record<string, unknown>, look))
        remark(`  │ ${line}`);
    const say = (text: string) => remark(hangIndent(text, "  ", getColumns(process.stderr), "  "));
    if (reason !== undefined) say(escapeForTerminal(reason));
    if (blockedPath !== undefined) say(formatBlockedPath(blockedPath));
  }

  async #requestElevation(): Promise<Elevation | "refused" | "expired"> {
    const { hub, note: remark, style, signal } = this.#options;
    const showWords = (words: string) =>
      remark(
        `Answer on a paired device. To answer here, confirm this terminal there: ${style.bold(words)}`,
      );
    const elevation = await elevateTerminal(hub, "approver", showWords, signal);
    if (elevation === "refused") {
      remark("This terminal was not confirmed. Answer on another device.");
    } else if (elevation === "expired") {
      remark("The confirmation request expired.");
    } else {
      remark("You can answer in this terminal now, until it closes or the hub stops.");
    }
    return elevation;
  }
}

function describeClosing({ reason }: AbortSignal): string {
  const { status, answeredBy } = (reason ?? {}) as Partial<AskView>;
  if (status === "answered")
    return `answered by ${escapeForTerminal(answeredBy ?? "another device")}`;
  if (status === "expired") return "expired";
  return status === "cancelled" ? "withdrawn" : "no longer open";
}
