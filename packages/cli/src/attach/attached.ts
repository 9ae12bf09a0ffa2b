import { escapeForTerminal } from "@signalbox/protocol/text";
import type { BoardView, Session, SessionWatch, Watch } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { toldAs } from "../failure.ts";
import { terminalLamp, policyMark } from "../hub/lamp.ts";
import type { LocalHub } from "../hub/local-hub.ts";
import { Screen } from "../run/screen.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { columnsOf, hang } from "../terminal/layout.ts";
import { styleFor } from "../terminal/style.ts";
import { AskDesk } from "./ask-desk.ts";
import { FollowView } from "./follow-view.ts";
import { deedOf, type Key, type Line, lineFor, type Scene } from "./keys.ts";
import { MessageLine } from "./message-line.ts";
import { isUnderWay } from "./under-way.ts";

interface AttachOptions {
  /** Leave when the agent has nothing more to do. */
  readonly untilIdle: boolean;
  /** How many of the items that are there already are shown. */
  readonly tail: number;
}

/**
 * Without a keyboard of ours the terminal sends Ctrl-C to a whole group, and a launcher passes its own on:
 * signals so close are one press. Each key is a press of its own.
 */
const ONE_SIGNAL_MS = 300;

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
  /** Undefined: nobody is there to type. */
  readonly #line: MessageLine | undefined;
  /** Messages from here that the board does not show yet, and how many are on their way to the hub. */
  readonly #unseen = new Set<string>();
  #sending = 0;
  #begun = false;
  #writing = false;
  #link = "";
  #policy: Session["policy"] | undefined;
  #problem: string | undefined;
  #signalledAt = -Infinity;
  /** The turn that was interrupted from here, by how many were before it. */
  #interruptedTurn: number | undefined;

  constructor(hub: LocalHub, id: string, options: AttachOptions) {
    this.#hub = hub;
    this.#id = id;
    this.#options = options;
    this.#keyboard = Keyboard.isThere
      ? new Keyboard(() => this.#press({ key: "ctrl-c" }), {
          enter: (text) => this.#press({ key: "enter", text }),
          closed: () => this.#leave(exitCode.success),
        })
      : undefined;
    this.#line = this.#keyboard && this.#messageLine(this.#keyboard);
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
      asking: () => this.#line?.keepTyped(),
      asked: () => this.#update(),
      signal: this.#over.signal,
    });
    this.#session = hub.watchSession(id);
    this.#board = hub.watchBoard();
  }

  async follow(): Promise<ExitCode> {
    const press = () => this.#signal();
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

  #messageLine(keyboard: Keyboard): MessageLine {
    return new MessageLine({
      keyboard,
      screen: this.#screen,
      style: this.#style,
      entered: (text, line) => this.#press({ key: "enter", text }, line),
      gone: () => this.#update(),
    });
  }

  get #glance(): Session | undefined {
    return this.#board.view.session(this.#id);
  }

  get #scene(): Scene {
    const session = this.#glance;
    const shownRev = this.#session.view.has?.rev ?? 0;
    const sent = this.#sending > 0 || this.#unseen.size > 0;
    return {
      begun: this.#begun,
      busy: session !== undefined && (sent || isUnderWay(session)),
      stale: session !== undefined && session.rev < shownRev,
      asking: this.#asks.asking,
      writing: this.#writing,
      interrupted: session !== undefined && session.summary.turns === this.#interruptedTurn,
    };
  }

  #update(): void {
    if (this.#over.signal.aborted) return undefined;
    this.#tellLink();
    const { view } = this.#session;
    if (view.state === "gone") {
      this.#remark("The session was deleted.");
      return this.#leave(exitCode.notFound);
    }
    const session = this.#glance;
    if (view.state !== "ready" || !session) return undefined;
    if (!this.#begun) this.#begin(session);
    this.#tellPolicy(session);
    this.#showNews();
    this.#tellProblem(session);
    for (const id of this.#unseen) {
      if (view.item(id) || session.queue.some((prompt) => prompt.id === id))
        this.#unseen.delete(id);
    }
    const asks = this.#board.view.asks.filter((ask) => ask.session === this.#id);
    this.#asks.see(asks, this.#board.view.closedAsks);
    const scene = this.#scene;
    const rests = !scene.busy && !scene.stale && !scene.asking;
    if (this.#options.untilIdle && rests && this.#line?.hasText !== true) {
      return this.#leaveIdle(session);
    }
    this.#line?.show(lineFor(scene));
    return undefined;
  }

  /** Nothing runs, and nobody is writing. */
  #leaveIdle({ state }: Session): void {
    this.#leave(state === "crashed" ? exitCode.agentError : exitCode.success);
  }

  #begin(session: Session): void {
    this.#begun = true;
    const { ids } = this.#session.view;
    const { title, folder } = session;
    this.#policy = session.policy;
    const state = `${terminalLamp(session).word}${this.#style.red(policyMark(session))}`;
    this.#remark(`${escapeForTerminal(title)} in ${escapeForTerminal(folder)}: ${state}`);
    this.#tellProblem(session);
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
    this.#line?.makeRoom();
    for (const item of news) this.#view.show(item);
  }

  #press(key: Key, line: Line = this.#line?.line ?? "none"): void {
    const deed = deedOf(this.#scene, line, key);
    const text = key.key === "enter" ? key.text : "";
    switch (deed) {
      case "leave":
        return this.#leave(exitCode.success);
      case "interrupt":
        return this.#interrupt();
      case "write":
        this.#line?.keep(text);
        this.#writing = true;
        return this.#update();
      case "put-away":
        this.#writing = false;
        return this.#update();
      case "send":
        this.#writing = false;
        return void this.#send(text);
      default:
        return deed satisfies never;
    }
  }

  #signal(): void {
    const now = performance.now();
    if (now - this.#signalledAt < ONE_SIGNAL_MS) return;
    this.#signalledAt = now;
    this.#press({ key: "ctrl-c" });
  }

  async #send(text: string): Promise<void> {
    this.#sending++;
    try {
      const { id } = await this.#hub.send(this.#id, { text });
      this.#unseen.add(id);
    } catch (failure) {
      this.#line?.keep(text); // nothing that was typed is lost
      const told = toldAs(failure);
      if (!told) throw failure;
      this.#warn(`${told.message} The message was not sent.`);
    } finally {
      this.#sending--;
      this.#update();
    }
  }

  #interrupt(): void {
    this.#interruptedTurn = this.#glance?.summary.turns;
    this.#writing = false;
    this.#line?.takeBack(); // what is told now would wait for it
    this.#warn("interrupting… (again to leave; the session goes on)");
    this.#hub.interrupt(this.#id).catch((failure: unknown) => {
      this.#warn(toldAs(failure)?.message ?? String(failure));
      this.#update();
    });
  }

  #leave(exit: ExitCode): void {
    this.#line?.takeBack();
    this.#done.resolve(exit);
  }

  /** An agent that asks nobody is never one without this terminal's knowing. */
  #tellPolicy({ policy }: Session): void {
    const before = this.#policy;
    if (policy === before) return;
    this.#policy = policy;
    if (policy === "autonomous")
      this.#alert("The policy is autonomous now: the agent asks nobody.");
    else if (before === "autonomous") this.#alert(`The policy is ${policy} again.`);
  }

  /** Why it does not run, once. */
  #tellProblem({ problem }: Session): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    if (problem !== undefined) this.#remark(problem);
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
    return this.#alert(
      link === "offline" ? "The hub is away; trying again." : "The hub is there again.",
    );
  }

  /** What must be known at once, also while something is asked or typed here. */
  #alert(text: string): void {
    if (this.#screen.isTaken && this.#keyboard) this.#keyboard.interject(this.#warning(text));
    else this.#warn(text);
  }

  #warn(text: string): void {
    this.#line?.makeRoom();
    this.#view.note(this.#warning(text));
  }

  #warning(text: string): string {
    return this.#style.yellow(hang(escapeForTerminal(text), "! ", columnsOf(process.stderr)));
  }

  #remark(text: string): void {
    this.#line?.makeRoom();
    this.#view.note(this.#style.dim(hang(text, "", columnsOf(process.stderr))));
  }
}
