import type { AskView } from "@signalbox/client";
import { toldAs } from "../failure.ts";
import type { LocalHub } from "../hub/local-hub.ts";
import { askOnTerminal } from "../run/ask-on-terminal.ts";
import { toolInput } from "../run/describe-tool.ts";
import type { Screen } from "../run/screen.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import { columnsOf } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import { askForTerminal, hubDecision, modeBesides } from "./ask.ts";
import { type Elevation, elevate } from "./elevation.ts";

export interface DeskOptions {
  readonly hub: LocalHub;
  /** Undefined: nobody is there to be asked. */
  readonly keyboard: Keyboard | undefined;
  readonly style: Style;
  readonly screen: Screen;
  readonly remark: (text: string) => void;
  /** Called when a question is no longer on the terminal. */
  readonly asked: () => void;
  readonly signal: AbortSignal;
}

/**
 * The asks of a session at the terminal. They are shown at once; they can be answered here once an
 * approver's device has confirmed this terminal, since what a shell can type an agent can type too.
 */
export class AskDesk {
  readonly #options: DeskOptions;
  /** Asks that are shown or being answered here, and how to take the question back. */
  readonly #open = new Map<string, AbortController>();
  #asking = 0;
  #lifting: Promise<Elevation | undefined> | undefined;
  #elevation: Elevation | undefined;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Whether a question is on the terminal, or about to be. */
  get asking(): boolean {
    return this.#asking > 0;
  }

  see(asks: readonly AskView[], closed: readonly AskView[]): void {
    for (const ask of asks) if (!this.#open.has(ask.id)) this.#begin(ask);
    for (const [id, withdraw] of this.#open) {
      if (asks.some((ask) => ask.id === id)) continue;
      this.#open.delete(id);
      withdraw.abort(closed.find((ask) => ask.id === id)?.answeredBy);
    }
  }

  close(): void {
    for (const withdraw of this.#open.values()) withdraw.abort();
    this.#elevation?.[Symbol.dispose]();
  }

  #begin(ask: AskView): void {
    const withdraw = new AbortController();
    this.#open.set(ask.id, withdraw);
    this.#answer(ask, withdraw.signal).catch((failure: unknown) => {
      const told = toldAs(failure);
      if (told) this.#options.remark(told.message);
      else if (!this.#options.signal.aborted && !withdraw.signal.aborted) throw failure;
    });
  }

  async #answer(view: AskView, signal: AbortSignal): Promise<void> {
    const { keyboard, remark, style, screen } = this.#options;
    const ask = askForTerminal(view);
    if (!keyboard || !ask) {
      remark(`${style.yellow("▲")} waits for an answer on another device: ${visible(view.title)}`);
      return;
    }
    const elevation = this.#elevation ?? (await this.#lift(view));
    if (!elevation || signal.aborted) return;
    this.#asking++;
    const decision = await screen
      .alone(async (print) => {
        const decided = await askOnTerminal(ask, signal, { keyboard, style, print });
        if (signal.aborted) print(style.dim(`  (${closedBy(signal)})`));
        return decided;
      })
      .finally(() => this.#asking--);
    this.#options.asked();
    // Whoever leaves has not denied anything.
    if (signal.aborted || keyboard.closed || this.#options.signal.aborted) return;
    await elevation.hub.answer(view.id, { hash: view.hash, decision: hubDecision(decision, view) });
    const mode = modeBesides(decision, view);
    if (mode !== undefined) {
      await elevation.hub.control(view.session, "set_permission_mode", { mode });
    }
  }

  async #lift(ask: AskView): Promise<Elevation | undefined> {
    this.#show(ask);
    this.#lifting ??= this.#askToBeLifted();
    this.#elevation = await this.#lifting;
    return this.#elevation;
  }

  /** What waits, for whoever answers on another device. */
  #show({ title, tool, input }: AskView): void {
    const { remark, style } = this.#options;
    remark(`${style.yellow("▲")} waits for an answer: ${visible(tool ?? title)}`);
    if (typeof input !== "object" || input === null) return;
    const look = { style, columns: columnsOf(process.stderr) - 4 };
    for (const line of toolInput(input as Record<string, unknown>, look)) remark(`  │ ${line}`);
  }

  async #askToBeLifted(): Promise<Elevation | undefined> {
    const { hub, remark, style, signal } = this.#options;
    const told = (words: string) =>
      remark(
        `Answer it on a paired device. To answer here, confirm this terminal there: ${style.bold(words)}`,
      );
    const elevation = await elevate(hub, told, signal);
    remark(
      elevation
        ? "This terminal may answer now, for as long as it runs."
        : "This terminal was not confirmed: answer on another device.",
    );
    return elevation;
  }
}

function closedBy({ reason }: AbortSignal): string {
  return typeof reason === "string" ? `answered by ${visible(reason)}` : "withdrawn";
}
