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
  /** Undefined: nobody is there to be asked. */
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
 * The asks of a session at the terminal. They are shown at once; they can be answered here once an
 * approver's device has confirmed this terminal, since what a shell can type an agent can type too.
 */
export class AskPrompter {
  readonly #options: AskPrompterOptions;
  /** Asks that are shown or being answered here, and how to take the question back. */
  readonly #open = new Map<string, AbortController>();
  #askingCount = 0;
  #elevating: Promise<Elevation | "refused" | "expired"> | undefined;
  #elevation: Elevation | undefined;

  constructor(options: AskPrompterOptions) {
    this.#options = options;
  }

  /** Whether a question is on the terminal, or about to be. */
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
      const told = toCommandError(failure);
      if (told) this.#options.note(told.message);
      else if (!this.#options.signal.aborted && !withdraw.signal.aborted) throw failure;
    });
  }

  async #answer(view: AskView, signal: AbortSignal): Promise<void> {
    const { keyboard, note: remark, style } = this.#options;
    const ask = toTerminalAsk(view);
    if (!keyboard || !ask) {
      remark(
        `${style.yellow("▲")} waits for an answer on another device: ${escapeForTerminal(view.title)}`,
      );
      return;
    }
    if (!this.#elevation) this.#printAsk(view);
    for (;;) {
      const elevation = this.#elevation ?? (await this.#ensureElevated(signal));
      if (!elevation || signal.aborted) return;
      const decision = await this.#decide(ask, signal, keyboard);
      // Whoever leaves has not denied anything.
      if (signal.aborted || keyboard.closed || this.#options.signal.aborted) return;
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
        // Whoever leaves has not closed it either.
        const closed = signal.aborted && !this.#options.signal.aborted;
        if (closed) print(style.dim(`  (${describeClosing(signal)})`));
        return decided;
      })
      .finally(() => this.#askingCount--);
    this.#options.onAsked();
    return decision;
  }

  /** False: the hub has not taken it, and the question is still open. */
  async #sendDecision({ hub }: Elevation, view: AskView, decision: Decision): Promise<boolean> {
    try {
      await hub.answer(view.id, { hash: view.hash, decision: toHubDecision(decision, view) });
    } catch (failure) {
      if (!HubError.is(failure)) throw failure;
      if (failure.status === 401) this.#forgetElevation(hub);
      else if (isTemporary(failure)) this.#options.note(`${failure.message} It was not answered.`);
      else throw failure;
      return false;
    }
    return true;
  }

  /** What let this terminal answer holds no more, as after a restart of the hub. */
  #forgetElevation(hub: Elevation["hub"]): void {
    if (this.#elevation?.hub !== hub) return; // another question was faster
    this.#elevation[Symbol.dispose]();
    this.#elevation = undefined;
    this.#options.note("The hub does not know this terminal any more. It was not answered.");
  }

  /** Undefined: refused, or the question is over. Each confirmation is asked for once, for all asks. */
  async #ensureElevated(signal: AbortSignal): Promise<Elevation | undefined> {
    while (!signal.aborted && !this.#elevation) {
      this.#elevating ??= this.#requestElevation().finally(() => (this.#elevating = undefined));
      const lifted = await this.#elevating;
      if (lifted === "refused") return undefined;
      if (lifted !== "expired") this.#elevation = lifted;
    }
    return this.#elevation;
  }

  /** What waits, for whoever answers on another device. */
  #printAsk({ title, tool, input, reason, blockedPath }: AskView): void {
    const { note: remark, style } = this.#options;
    remark(`${style.yellow("▲")} waits for an answer: ${escapeForTerminal(tool ?? title)}`);
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
    const told = (words: string) =>
      remark(
        `Answer it on a paired device. To answer here, confirm this terminal there: ${style.bold(words)}`,
      );
    const elevation = await elevateTerminal(hub, told, signal);
    if (elevation === "refused") {
      remark("This terminal was not confirmed: answer on another device.");
    } else if (elevation === "expired") {
      remark("Nobody confirmed this terminal in time.");
    } else {
      remark("This terminal may answer now, until it or the hub ends.");
    }
    return elevation;
  }
}

function describeClosing({ reason }: AbortSignal): string {
  const { status, answeredBy } = (reason ?? {}) as Partial<AskView>;
  if (status === "answered") return `answered by ${escapeForTerminal(answeredBy ?? "somebody")}`;
  if (status === "expired") return "expired: nobody answered in time";
  return status === "cancelled" ? "withdrawn" : "no longer open";
}
