import type { NewShell, TerminalChange, TerminalView } from "@signalbox/api";
import type { FrameToHubOfType, FrameToRunnerOfType, OrderOfKind } from "@signalbox/api/link";
import type { Actor } from "../actor.ts";
import type { BoardListener } from "../fan-out/board-changes.ts";
import type { ClientChannel } from "../fan-out/client-channel.ts";
import { TerminalFeed } from "../fan-out/terminal-feed.ts";
import type { RunnerLinks } from "../link/runner-links.ts";
import type { RunnerLink } from "../link/runner-link.ts";
import { HubRefusal } from "../refusal.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Store } from "../store/store.ts";
import type { Machines } from "./machines.ts";
import { ShellAudit } from "./shell-audit.ts";

const DEFAULT_SIZE = { cols: 100, rows: 30 };

interface TerminalServiceOptions {
  readonly store: Store;
  readonly links: RunnerLinks;
  readonly machines: Machines;
  readonly sessions: Sessions;
  readonly changes: BoardListener;
}

interface KnownTerminal {
  readonly runner: string;
  readonly view: TerminalView;
}

type TypedInput = Omit<FrameToRunnerOfType<"terminal-input">, "type" | "by" | "name">;

/**
 * The terminals of all machines. They belong to their runners, which tell the hub which there are; the hub
 * passes on what they show to viewers, and what approvers type to them.
 */
export class TerminalService {
  readonly #options: TerminalServiceOptions;
  readonly #terminals = new Map<string, KnownTerminal>();
  /** Also of terminals that are not known yet, because their runner has not come back. */
  readonly #feeds = new Map<string, TerminalFeed>();
  /** The connections whose first list has come. */
  readonly #resumed = new WeakSet<RunnerLink>();
  readonly #audit: ShellAudit;

  constructor(options: TerminalServiceOptions) {
    this.#options = options;
    this.#audit = new ShellAudit(options.store, (runner) => options.links.getFence(runner));
  }

  list(): TerminalView[] {
    return [...this.#terminals.values()].map(({ view }) => view);
  }

  /** Opens a shell in the folder of a session. */
  async open(id: string, sessionId: string, options: NewShell, by: Actor): Promise<TerminalView> {
    const { sessions, machines } = this.#options;
    const { row } = sessions.get(sessionId);
    const { folder, runner } = row;
    const { cols = DEFAULT_SIZE.cols, rows = DEFAULT_SIZE.rows } = options;
    const name = options.name ?? this.#getFreeName(sessionId);
    const order: OrderOfKind<"open-shell"> = {
      kind: "open-shell",
      terminal: id,
      session: sessionId,
      name,
      folder,
      cols,
      rows,
    };
    await this.#audit.open({ id, session: sessionId, runner, name, folder }, by);
    try {
      await machines.sendOrder(runner, order);
    } catch (failure) {
      const why = failure instanceof Error ? failure.message : "failed";
      await this.#audit.end(runner, id, { why });
      throw failure;
    } finally {
      this.#audit.started(id);
    }
    const known = this.#terminals.get(id)?.view;
    const startedAt = Date.now();
    return known ?? { id, session: sessionId, kind: "shell", name, folder, startedAt, cols, rows };
  }

  async rename(id: string, { name }: TerminalChange): Promise<void> {
    const { runner } = this.#get(id);
    await this.#options.machines.sendOrder(runner, { kind: "rename-terminal", terminal: id, name });
  }

  async close(id: string, by: Actor): Promise<void> {
    const { runner, view } = this.#get(id);
    if (view.kind === "agent" && !view.end) {
      const detail = "This terminal belongs to a running agent. Stop the session instead.";
      throw new HubRefusal(409, "agent-terminal", detail);
    }
    await this.#options.machines.sendOrder(runner, { kind: "close-terminal", terminal: id });
    await this.#audit.end(runner, id, {}, by);
  }

  /** Ends the shells of a session that is deleted. */
  onSessionDeleted(session: string, by: Actor): void {
    for (const { id, ...view } of this.list()) {
      if (view.session === session && view.kind === "shell")
        void this.close(id, by).catch(() => {});
    }
  }

  watch(id: string, viewer: ClientChannel): void {
    this.#getFeed(id).add(viewer);
  }

  leave(id: string, viewer: ClientChannel): void {
    this.#feeds.get(id)?.remove(viewer);
    this.#dropUnusedFeed(id);
  }

  /** Passes on what a person typed. The runner checks the signature. */
  sendInput(input: TypedInput, by: string, name: string): void {
    const link = this.#findLink(input.terminal);
    link?.sendTerminalFrame({ type: "terminal-input", ...input, by, name });
  }

  resize(terminal: string, cols: number, rows: number): void {
    this.#findLink(terminal)?.sendTerminalFrame({ type: "terminal-resize", terminal, cols, rows });
  }

  /** All terminals of a runner, as it says. With the first list of a connection, viewers continue. */
  onTerminals(link: RunnerLink, reported: readonly TerminalView[]): void {
    const { runner } = link;
    const terminals = reported.filter((view) => this.#mayOwn(runner, view));
    const listed = new Set(terminals.map(({ id }) => id));
    for (const [id, known] of this.#terminals) {
      if (known.runner !== runner || listed.has(id)) continue;
      this.#terminals.delete(id);
      this.#feeds.get(id)?.end();
      this.#feeds.delete(id);
    }
    for (const view of terminals) this.#terminals.set(view.id, { runner, view });
    if (!this.#resumed.has(link)) {
      this.#resumed.add(link);
      for (const id of listed) this.#feeds.get(id)?.resume();
    }
    void this.#audit.onTerminals(runner, terminals).catch(() => {}); // with the next list again
    this.#options.changes.hubChanged();
  }

  onFrame(
    link: RunnerLink,
    frame: FrameToHubOfType<"terminal-snapshot" | "terminal-output" | "terminal-size">,
  ): void {
    const { terminal } = frame;
    if (this.#terminals.get(terminal)?.runner !== link.runner) return;
    const feed = this.#feeds.get(terminal);
    if (frame.type === "terminal-snapshot") {
      link.sendTerminalFrame({ type: "terminal-ack", terminal, at: frame.at });
      feed?.onSnapshot(frame);
      return;
    }
    if (frame.type === "terminal-output") {
      const at = frame.at + frame.text.length;
      link.sendTerminalFrame({ type: "terminal-ack", terminal, at });
    }
    feed?.onOutput(frame);
  }

  /**
   * Whether a terminal can be this runner's. Another machine must not show its own terminal beside a session
   * that is not on it, or in place of another machine's terminal, because a person would type there.
   */
  #mayOwn(runner: string, { id, session }: TerminalView): boolean {
    const owner = this.#terminals.get(id)?.runner;
    if (owner !== undefined && owner !== runner) return false;
    const row = this.#options.sessions.find(session)?.row;
    return row === undefined || row.runner === runner;
  }

  #getFeed(id: string): TerminalFeed {
    const known = this.#feeds.get(id);
    if (known) return known;
    const send = (type: "terminal-watch" | "terminal-leave") => {
      const link = this.#findLink(id);
      link?.sendTerminalFrame({ type, terminal: id });
      return link !== undefined;
    };
    const feed = new TerminalFeed(id, {
      watch: () => send("terminal-watch"),
      leave: () => void send("terminal-leave"),
    });
    this.#feeds.set(id, feed);
    return feed;
  }

  #dropUnusedFeed(id: string): void {
    if (this.#feeds.get(id)?.isWatched === false) this.#feeds.delete(id);
  }

  #findLink(id: string): RunnerLink | undefined {
    const runner = this.#terminals.get(id)?.runner;
    return runner === undefined ? undefined : this.#options.links.get(runner);
  }

  #get(id: string): KnownTerminal {
    const known = this.#terminals.get(id);
    if (known) return known;
    throw new HubRefusal(404, "no-such-terminal", "This terminal is closed.");
  }

  /** `Shell 1` and so on, for the first number that no terminal of the session has. */
  #getFreeName(session: string): string {
    const names = new Set(
      this.list().flatMap((view) => (view.session === session ? view.name : [])),
    );
    let number = 1;
    while (names.has(`Shell ${number}`)) number += 1;
    return `Shell ${number}`;
  }
}
