import type { AskView, ElevationView, ProjectView, RunnerView, TerminalView } from "@signalbox/api";
import type { BoardFrame, Frame, Session } from "../contract.ts";
import { applyPatch } from "./apply-patch.ts";

/** How many closed asks are kept, so that somebody who comes late sees who answered. */
const MAX_CLOSED = 50;

/**
 * All sessions at a glance, and the asks that wait for a person. This is state only: frames are
 * passed to `apply`.
 */
export class BoardView {
  readonly #sessions = new Map<string, Session>();
  readonly #asks = new Map<string, AskView>();
  #sorted: readonly Session[] | undefined;
  #open: readonly AskView[] | undefined;
  #closed: readonly AskView[] = [];
  #projects: readonly ProjectView[] = [];
  #runners: readonly RunnerView[] = [];
  #terminals: readonly TerminalView[] = [];
  #elevations: readonly ElevationView[] = [];
  #trouble: string | undefined;
  #rev: number | undefined;
  #isConfirmed = false;

  get state(): "loading" | "ready" {
    return this.#rev === undefined ? "loading" : "ready";
  }

  /**
   * Whether the hub has sent what is shown, even if some time ago. A stored copy does not know the
   * open asks.
   */
  get isConfirmed(): boolean {
    return this.#isConfirmed;
  }

  get rev(): number | undefined {
    return this.#rev;
  }

  /**
   * The sessions, newest first. The array and each session stay the same objects until they change.
   */
  get sessions(): readonly Session[] {
    return (this.#sorted ??= [...this.#sessions.values()].toSorted(newestFirst));
  }

  session(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** The open asks, oldest first. */
  get asks(): readonly AskView[] {
    return (this.#open ??= [...this.#asks.values()].toSorted((a, b) => a.openedAt - b.openedAt));
  }

  /** The last asks that were answered, withdrawn or expired, newest last. */
  get closedAsks(): readonly AskView[] {
    return this.#closed;
  }

  get projects(): readonly ProjectView[] {
    return this.#projects;
  }

  get runners(): readonly RunnerView[] {
    return this.#runners;
  }

  /** Shells, and agents in their own terminal UI. */
  get terminals(): readonly TerminalView[] {
    return this.#terminals;
  }

  /** Terminals that request permission to approve. */
  get elevations(): readonly ElevationView[] {
    return this.#elevations;
  }

  /** Why the hub cannot store data, in a sentence for a person. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  apply(frame: BoardFrame | Frame<"elevations">): void {
    if (frame.type === "board") {
      this.#applyBoard(frame);
      this.#isConfirmed = true;
    } else this.#elevations = frame.elevations;
  }

  /** Shows a stored copy until the hub sends the current state. */
  begin(frame: BoardFrame): void {
    this.#applyBoard(frame);
  }

  #applyBoard(frame: BoardFrame): void {
    if (frame.reset) this.#forget(frame);
    for (const session of frame.sessions) this.#sessions.set(session.id, session);
    for (const patch of frame.patches ?? []) {
      const session = this.#sessions.get(patch.id);
      if (session) this.#sessions.set(patch.id, applyPatch(session, patch));
    }
    for (const id of frame.gone) this.#sessions.delete(id);
    const changes = frame.sessions.length + frame.gone.length + (frame.patches?.length ?? 0);
    if (frame.reset || changes > 0) this.#sorted = undefined;
    for (const ask of frame.asks) this.#applyAsk(ask);
    if (frame.projects) this.#projects = frame.projects;
    if (frame.runners) this.#runners = frame.runners;
    if (frame.terminals) this.#terminals = frame.terminals;
    if (frame.trouble !== undefined) this.#trouble = frame.trouble ?? undefined;
    this.#rev = frame.rev;
  }

  #forget(frame: BoardFrame): void {
    const same = new Map(frame.sessions.map((session) => [session.id, session]));
    for (const id of this.#sessions.keys()) if (!same.has(id)) this.#sessions.delete(id);
    this.#asks.clear();
    this.#open = undefined;
    if (frame.trouble === undefined) this.#trouble = undefined;
  }

  #applyAsk(ask: AskView): void {
    this.#open = undefined;
    if (ask.status === "open") {
      this.#asks.set(ask.id, ask);
      return;
    }
    this.#asks.delete(ask.id);
    const others = this.#closed.filter(({ id }) => id !== ask.id);
    this.#closed = [...others, ask].slice(-MAX_CLOSED);
  }
}

function newestFirst(a: Session, b: Session): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1);
}
