import { escapeForTerminal } from "@signalbox/protocol/text";
import type { BoardView, Session, SessionWatch, Watch } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { toCommandError } from "../command-error.ts";
import { getTerminalLamp, formatPolicySuffix } from "../hub/lamp.ts";
import type { LocalHub } from "../hub/local-hub.ts";
import { Screen } from "../run/screen.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { getColumns, hangIndent } from "../terminal/layout.ts";
import { createStyle } from "../terminal/style.ts";
import { AskPrompter } from "./ask-prompter.ts";
import { ItemPrinter } from "./item-printer.ts";
import {
  getKeyAction,
  type KeyPress,
  type InputKind,
  getInputKind,
  type InputState,
} from "./key-actions.ts";
import { MessageInput } from "./message-input.ts";
import { hasPendingWork } from "./pending-work.ts";

interface FollowOptions {
  /** Detach when the agent has finished. */
  readonly untilIdle: boolean;
  /** How many of the existing items are shown. */
  readonly tail: number;
}

/**
 * When no keyboard is read, the terminal sends Ctrl-C to the whole process group, and the launcher passes its
 * own signal on. Signals this close together count as one press.
 */
const SAME_SIGNAL_MS = 300;

/** Follows a session in the terminal: shows its items, sends typed messages and answers asks. */
export class SessionFollower {
  readonly #hub: LocalHub;
  readonly #id: string;
  readonly #options: FollowOptions;
  readonly #style = createStyle(process.stderr, process.env);
  readonly #screen = new Screen();
  readonly #printer: ItemPrinter;
  readonly #keyboard: Keyboard | undefined;
  readonly #session: SessionWatch;
  readonly #board: Watch<BoardView>;
  readonly #prompter: AskPrompter;
  readonly #done = Promise.withResolvers<ExitCode>();
  readonly #closed = new AbortController();
  /** Undefined if there is no keyboard. */
  readonly #input: MessageInput | undefined;
  /** Messages sent from here that the board does not show yet; `#sending` counts those on their way to the hub. */
  readonly #unconfirmed = new Set<string>();
  #sending = 0;
  #isShown = false;
  #isComposing = false;
  #linkState = "";
  #policy: Session["policy"] | undefined;
  #problem: string | undefined;
  #signalledAt = -Infinity;
  /** The turn that was interrupted from here, as the number of turns before it. */
  #interruptedTurn: number | undefined;

  constructor(hub: LocalHub, id: string, options: FollowOptions) {
    this.#hub = hub;
    this.#id = id;
    this.#options = options;
    this.#keyboard = Keyboard.isAvailable
      ? new Keyboard(() => this.#onKey({ key: "ctrl-c" }), {
          onLine: (text) => this.#onKey({ key: "enter", text }),
          onClose: () => this.#leave(exitCode.success),
        })
      : undefined;
    this.#input = this.#keyboard && this.#createInput(this.#keyboard);
    const { answer, note, sharesScreen: oneScreen } = this.#screen;
    const screen = process.stderr;
    const body = hub.body.bind(hub);
    this.#printer = new ItemPrinter({
      answer,
      note,
      sharesScreen: oneScreen,
      screen,
      style: this.#style,
      body,
    });
    this.#prompter = new AskPrompter({
      hub,
      keyboard: this.#keyboard,
      style: this.#style,
      screen: this.#screen,
      note: (text) => this.#note(text),
      onAsk: () => this.#input?.saveTyped(),
      onAsked: () => this.#update(),
      signal: this.#closed.signal,
    });
    this.#session = hub.watchSession(id);
    this.#board = hub.watchBoard();
  }

  async follow(): Promise<ExitCode> {
    const onInterrupt = () => this.#onSignal();
    const leave = () => this.#leave(exitCode.success);
    process.on("SIGINT", onInterrupt).on("SIGTERM", leave).on("SIGHUP", leave);
    process.stdout.on("error", leave); // the reader of our output is gone
    const update = () => this.#update();
    const subscriptions = [
      this.#session.subscribe(update),
      this.#board.subscribe(update),
      this.#hub.onState(update),
    ];
    try {
      return await this.#done.promise;
    } finally {
      for (const unsubscribe of subscriptions) unsubscribe();
      this.#closed.abort();
      this.#prompter.close();
      this.#keyboard?.close();
      process.off("SIGINT", onInterrupt).off("SIGTERM", leave).off("SIGHUP", leave);
    }
  }

  #createInput(keyboard: Keyboard): MessageInput {
    return new MessageInput({
      keyboard,
      screen: this.#screen,
      style: this.#style,
      onEnter: (text, line) => this.#onKey({ key: "enter", text }, line),
      onWithdrawn: () => this.#update(),
    });
  }

  get #summary(): Session | undefined {
    return this.#board.view.session(this.#id);
  }

  get #inputState(): InputState {
    const session = this.#summary;
    const shownRev = this.#session.view.cursor?.rev ?? 0;
    const sent = this.#sending > 0 || this.#unconfirmed.size > 0;
    return {
      isShown: this.#isShown,
      isBusy: session !== undefined && (sent || hasPendingWork(session)),
      isStale: session !== undefined && session.rev < shownRev,
      isAsking: this.#prompter.isAsking,
      isComposing: this.#isComposing,
      isInterrupted: session !== undefined && session.summary.turns === this.#interruptedTurn,
    };
  }

  #update(): void {
    if (this.#closed.signal.aborted) return undefined;
    this.#reportLink();
    const { view } = this.#session;
    if (view.state === "gone") {
      this.#note("The session was deleted.");
      return this.#leave(exitCode.notFound);
    }
    const session = this.#summary;
    if (view.state !== "ready" || !session) return undefined;
    if (!this.#isShown) this.#printHeader(session);
    this.#reportPolicy(session);
    this.#printNewItems();
    this.#reportProblem(session);
    for (const id of this.#unconfirmed) {
      if (view.item(id) || session.queue.some((prompt) => prompt.id === id))
        this.#unconfirmed.delete(id);
    }
    const asks = this.#board.view.asks.filter((ask) => ask.session === this.#id);
    this.#prompter.update(asks, this.#board.view.closedAsks);
    const state = this.#inputState;
    const isAtRest = !state.isBusy && !state.isStale && !state.isAsking;
    if (this.#options.untilIdle && isAtRest && this.#input?.hasText !== true) {
      return this.#leaveIdle(session);
    }
    this.#input?.show(getInputKind(state));
    return undefined;
  }

  /** Detaches: nothing runs and nothing is being typed. */
  #leaveIdle({ state }: Session): void {
    this.#leave(state === "crashed" ? exitCode.agentError : exitCode.success);
  }

  #printHeader(session: Session): void {
    this.#isShown = true;
    const { ids } = this.#session.view;
    const { title, folder } = session;
    this.#policy = session.policy;
    const state = `${getTerminalLamp(session).word}${this.#style.red(formatPolicySuffix(session))}`;
    this.#note(`${escapeForTerminal(title)} in ${escapeForTerminal(folder)}: ${state}`);
    this.#reportProblem(session);
    const left = ids.length - this.#options.tail;
    if (left > 0 || this.#session.view.hasOlder) this.#note("… Earlier items are on the page");
    for (const id of ids.slice(0, Math.max(0, left))) this.#printer.skip(id);
    if (this.#keyboard)
      this.#note("Press Ctrl-C to interrupt the turn, or to detach when no turn is running.");
  }

  #printNewItems(): void {
    const { view } = this.#session;
    const items = view.ids.flatMap((id) => view.item(id) ?? []);
    const changed = items.filter((item) => this.#printer.hasChanges(item));
    if (changed.length === 0) return;
    this.#input?.hideForOutput();
    for (const item of changed) this.#printer.print(item);
  }

  #onKey(key: KeyPress, line: InputKind = this.#input?.line ?? "none"): void {
    const action = getKeyAction(this.#inputState, line, key);
    const text = key.key === "enter" ? key.text : "";
    switch (action) {
      case "leave":
        return this.#leave(exitCode.success);
      case "interrupt":
        return this.#interrupt();
      case "write":
        this.#input?.saveText(text);
        this.#isComposing = true;
        return this.#update();
      case "cancel":
        this.#isComposing = false;
        return this.#update();
      case "send":
        this.#isComposing = false;
        return void this.#send(text);
      default:
        return action satisfies never;
    }
  }

  #onSignal(): void {
    const now = performance.now();
    if (now - this.#signalledAt < SAME_SIGNAL_MS) return;
    this.#signalledAt = now;
    this.#onKey({ key: "ctrl-c" });
  }

  async #send(text: string): Promise<void> {
    this.#sending++;
    try {
      const { id } = await this.#hub.send(this.#id, { text });
      this.#unconfirmed.add(id);
    } catch (failure) {
      this.#input?.saveText(text); // so that no typed text is lost
      const known = toCommandError(failure);
      if (!known) throw failure;
      this.#warn(`${known.message} Couldn't send your message.`);
    } finally {
      this.#sending--;
      this.#update();
    }
  }

  #interrupt(): void {
    this.#interruptedTurn = this.#summary?.summary.turns;
    this.#isComposing = false;
    this.#input?.withdraw(); // otherwise the warning would wait for the line
    this.#warn("Interrupting… Press Ctrl-C again to detach; the session keeps running.");
    this.#hub.interrupt(this.#id).catch((failure: unknown) => {
      this.#warn(toCommandError(failure)?.message ?? String(failure));
      this.#update();
    });
  }

  #leave(exit: ExitCode): void {
    this.#input?.withdraw();
    this.#done.resolve(exit);
  }

  /** Reports changes to and from the policy autonomous, so that a person always knows when the agent never asks. */
  #reportPolicy({ policy }: Session): void {
    const before = this.#policy;
    if (policy === before) return;
    this.#policy = policy;
    if (policy === "autonomous") this.#alert("The policy is now autonomous: the agent never asks.");
    else if (before === "autonomous") this.#alert(`The policy is now ${policy}.`);
  }

  /** Reports once why the session does not run. */
  #reportProblem({ problem }: Session): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    if (problem !== undefined) this.#note(problem);
  }

  /** Reports when the connection to the hub is lost and when it is back. */
  #reportLink(): void {
    const { state } = this.#hub;
    if (state.kind === "refused") {
      this.#warn(state.why);
      return this.#leave(exitCode.refused);
    }
    const link = state.kind === "offline" ? "offline" : "";
    if (link === this.#linkState || (state.kind !== "live" && link === "")) return undefined;
    this.#linkState = link;
    return this.#alert(
      link === "offline"
        ? "Lost the connection to the hub. Reconnecting…"
        : "Reconnected to the hub.",
    );
  }

  /** Shows a warning at once, even while a question is open or a message is being typed. */
  #alert(text: string): void {
    if (this.#screen.isExclusive && this.#keyboard)
      this.#keyboard.interject(this.#formatWarning(text));
    else this.#warn(text);
  }

  #warn(text: string): void {
    this.#input?.hideForOutput();
    this.#printer.note(this.#formatWarning(text));
  }

  #formatWarning(text: string): string {
    return this.#style.yellow(
      hangIndent(escapeForTerminal(text), "! ", getColumns(process.stderr)),
    );
  }

  #note(text: string): void {
    this.#input?.hideForOutput();
    this.#printer.note(this.#style.dim(hangIndent(text, "", getColumns(process.stderr))));
  }
}
