import type { AskView, BoardView, Session, SessionWatch, Watch } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { toldAs } from "../failure.ts";
import { lampOf } from "../hub/lamp.ts";
import type { LocalHub } from "../hub/local-hub.ts";
import { Screen } from "../run/screen.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { columnsOf, hang } from "../terminal/layout.ts";
import { styleFor } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import { AskDesk } from "./ask-desk.ts";
import { FollowView } from "./follow-view.ts";

export interface AttachOptions {
  /** Leave when the agent has nothing more to do. */
  readonly untilIdle: boolean;
  /** How many of the items that are there already are shown. */
  readonly tail: number;
}

const PROMPT = "› ";
const LATER = "  message after this turn (Enter alone: none) › ";
/** The terminal sends Ctrl-C to a whole group, and a launcher may pass its own on: one press. */
const ONE_PRESS_MS = 300;

/** A session followed in the terminal: what happens, messages typed here, asks answered here. */
export class Attached {
  readonly #hub: LocalHub;
  readonly #id: string;
  readonly #options: AttachOptions;
  readonly #style = styleFor(process.stderr, process.env);
  readonly #screen = new Screen();
  readonly #view: FollowView;
  readonly #keyboard: Keyboard | undefined;
  readonly #session: SessionWatch;
  readonly #board: Watch<BoardView>;
  readonly #asks: AskDesk;
  readonly #done = Promise.withResolvers<ExitCode>();
  readonly #over = new AbortController();
  /** The prompt that is open while there is nothing else to do, and how to take it back. */
  #prompt: AbortController | undefined;
  #half = "";
  /** A message was sent, and the board does not show it yet. */
  #sentAtRev: number | undefined;
  #begun = false;
  #link = "";
  #pressedAt = -Infinity;
  #interrupted = false;

  constructor(hub: LocalHub, id: string, options: AttachOptions) {
    this.#hub = hub;
    this.#id = id;
    this.#options = options;
    this.#keyboard = Keyboard.isThere
      ? new Keyboard(() => this.#press(), {
          enter: () => void this.#later(),
          closed: () => this.#leave(exitCode.success),
        })
      : undefined;
    const { answer, note, oneScreen } = this.#screen;
    const screen = process.stderr;
    const body = hub.body.bind(hub);
    this.#view = new FollowView({ answer, note, oneScreen, screen, style: this.#style, body });
    this.#asks = new AskDesk({
      hub,
      keyboard: this.#keyboard,
      style: this.#style,
      screen: this.#screen,
      remark: (text) => this.#remark(text),
      asked: () => this.#update(),
      signal: this.#over.signal,
    });
    this.#session = hub.watchSession(id);
    this.#board = hub.watchBoard();
  }

  async follow(): Promise<ExitCode> {
    const press = () => this.#press();
    const leave = () => this.#leave(exitCode.success);
    process.on("SIGINT", press).on("SIGTERM", leave).on("SIGHUP", leave);
    process.stdout.on("error", leave); // nobody reads on
    const update = () => this.#update();
    const stops = [
      this.#session.subscribe(update),
      this.#board.subscribe(update),
      this.#hub.onState(update),
    ];
    try {
      return await this.#done.promise;
    } finally {
      for (const stop of stops) stop();
      this.#over.abort();
      this.#asks.close();
      this.#keyboard?.close();
      process.off("SIGINT", press).off("SIGTERM", leave).off("SIGHUP", leave);
    }
  }

  get #glance(): Session | undefined {
    return this.#board.view.session(this.#id);
  }

  #update(): void {
    this.#tellLink();
    const { view } = this.#session;
    if (view.state === "gone") {
      this.#remark("The session was deleted.");
      return this.#leave(exitCode.notFound);
    }
    const session = this.#glance;
    if (view.state !== "ready" || !session) return undefined;
    if (!this.#begun) this.#begin(session);
    this.#showNews();
    if (this.#sentAtRev !== undefined && (isBusy(session) || session.rev > this.#sentAtRev)) {
      this.#sentAtRev = undefined;
    }
    const asks = this.#board.view.asks.filter((ask) => ask.session === this.#id);
    this.#asks.see(asks, this.#board.view.closedAsks);
    return this.#rest(session, asks);
  }

  /** Nothing runs: time to be told what is next, or to leave. */
  #rest(session: Session, asks: readonly AskView[]): void {
    const rests = !isBusy(session) && asks.length === 0 && this.#sentAtRev === undefined;
    if (!rests) return this.#takeBackPrompt();
    if (this.#asks.asking) return undefined; // what was held back meanwhile is shown first
    this.#interrupted = false;
    if (this.#options.untilIdle) {
      const { state, problem } = session;
      if (problem !== undefined) this.#remark(problem);
      return this.#leave(state === "crashed" ? exitCode.agentError : exitCode.success);
    }
    if (this.#keyboard && !this.#prompt) void this.#ask();
    return undefined;
  }

  #begin(session: Session): void {
    this.#begun = true;
    const { ids } = this.#session.view;
    const { title, folder, problem } = session;
    this.#remark(`${visible(title)} in ${visible(folder)}: ${lampOf(session).word}`);
    if (problem !== undefined) this.#remark(problem);
    const left = ids.length - this.#options.tail;
    if (left > 0 || this.#session.view.older) this.#remark("… what was before is in the page");
    for (const id of ids.slice(0, Math.max(0, left))) this.#view.skip(id);
    if (this.#keyboard) this.#remark("Ctrl-C interrupts the turn, and leaves when none runs.");
  }

  #showNews(): void {
    const { view } = this.#session;
    const items = view.ids.flatMap((id) => view.item(id) ?? []);
    const news = items.filter((item) => this.#view.hasNews(item));
    if (news.length === 0) return;
    this.#takeBackPrompt();
    for (const item of news) this.#view.show(item);
  }

  async #ask(): Promise<void> {
    const prompt = new AbortController();
    this.#prompt = prompt;
    const half = this.#half;
    this.#half = "";
    const question = this.#style.cyan(PROMPT);
    const line = await this.#keyboard?.ask(question, prompt.signal, half);
    if (this.#prompt === prompt) this.#prompt = undefined;
    if (prompt.signal.aborted) return;
    if (line === undefined) return; // the input was ended
    if (line.trim() !== "") await this.#send(line);
    this.#update();
  }

  /** What was half typed is put up again. */
  #takeBackPrompt(): void {
    if (!this.#prompt) return;
    this.#half = this.#keyboard?.typed ?? "";
    this.#prompt.abort();
    this.#prompt = undefined;
  }

  /** Enter while the agent works: a message for afterwards. */
  async #later(): Promise<void> {
    const keyboard = this.#keyboard;
    if (!keyboard || !this.#begun || this.#asks.asking) return;
    const line = await this.#screen.alone(() =>
      keyboard.ask(this.#style.cyan(LATER), this.#over.signal),
    );
    if (line !== undefined && line.trim() !== "") await this.#send(line);
  }

  async #send(text: string): Promise<void> {
    this.#sentAtRev = this.#glance?.rev ?? 0;
    try {
      await this.#hub.send(this.#id, { text });
    } catch (failure) {
      this.#sentAtRev = undefined;
      this.#half = text; // nothing that was typed is lost
      const told = toldAs(failure);
      if (!told) throw failure;
      this.#warn(`${told.message} The message was not sent.`);
    }
  }

  #press(): void {
    const now = performance.now();
    if (now - this.#pressedAt < ONE_PRESS_MS) return;
    this.#pressedAt = now;
    const session = this.#glance;
    if (!session || !isBusy(session) || this.#interrupted) return this.#leave(exitCode.success);
    this.#interrupted = true;
    this.#warn("interrupting… (again to leave; the session goes on)");
    this.#hub.interrupt(this.#id).catch((failure: unknown) => {
      this.#warn(toldAs(failure)?.message ?? String(failure));
    });
    return undefined;
  }

  #leave(exit: ExitCode): void {
    this.#takeBackPrompt();
    this.#done.resolve(exit);
  }

  /** Says when the hub is away, and when it is back. */
  #tellLink(): void {
    const { state } = this.#hub;
    if (state.kind === "refused") {
      this.#warn(state.why);
      return this.#leave(exitCode.refused);
    }
    const link = state.kind === "offline" ? "offline" : "";
    if (link === this.#link || (state.kind !== "live" && link === "")) return undefined;
    this.#link = link;
    return this.#warn(
      link === "offline" ? "The hub is away; trying again." : "The hub is there again.",
    );
  }

  #warn(text: string): void {
    this.#takeBackPrompt();
    this.#view.note(this.#style.yellow(hang(visible(text), "! ", columnsOf(process.stderr))));
  }

  #remark(text: string): void {
    this.#takeBackPrompt();
    this.#view.note(this.#style.dim(hang(text, "", columnsOf(process.stderr))));
  }
}

/** Whether something is on its way: a turn, also one that waits for an answer, a start, a message that the agent does not have yet. */
function isBusy(session: Session): boolean {
  const { word } = lampOf(session);
  const ends = session.state === "crashed" || session.state === "stopped";
  const turns = word === "working" || word === "waits for you";
  return turns || word === "starting" || (!ends && session.queue.length > 0);
}
