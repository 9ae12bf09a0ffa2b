import { errorMessage } from "@signalbox/protocol/text";
import type { TerminalView } from "@signalbox/api";
import type { FrameToRunnerOfType, OrderOfKind } from "@signalbox/api/link";
import type { ShownTerminal, Typist } from "@signalbox/host";
import { startPty, Terminal, type TerminalSize } from "@signalbox/host/pty";
import { OrderError } from "../supervise/order-error.ts";
import { resolveAllowedFolder } from "../supervise/allowed-folders.ts";
import { resolveFolder } from "../supervise/folders.ts";
import type { Approvers } from "../supervise/approvers.ts";
import type { TerminalFrameToHub, TerminalFrameToRunner } from "../link/terminal-frames.ts";
import { getShellProgram } from "./shell-program.ts";
import { TerminalStream } from "./terminal-stream.ts";

/** What a terminal sends by itself when it gains or loses the focus: nobody typed it. */
// oxlint-disable-next-line no-control-regex -- the sequences begin with a control character
const reports = /^(?:\u001b\[[IO])+$/;

/** Terminals that one runner keeps, ended ones included. */
const MAX_TERMINALS = 100;

interface TerminalsOptions {
  /** Goes into the marker that all processes of a terminal carry. */
  readonly owner: string;
  readonly runner: string;
  /** The environment of shells. */
  readonly inheritFrom: Readonly<Record<string, string | undefined>>;
  /** The approvers who have to sign what is typed. Without it, input needs no signature. */
  readonly approvers?: Approvers;
  /** Sends a frame if the hub is connected; otherwise the frame is dropped. */
  readonly send: (frame: TerminalFrameToHub) => void;
}

interface Entry {
  view: TerminalView;
  readonly terminal: ShownTerminal;
  stream?: TerminalStream;
  /** The last count of input from each page of each device: input with a smaller one has been carried out. */
  readonly counts: Map<string, number>;
  onInput?: (by: Typist) => void;
}

/**
 * The terminals of this machine: shells of people, and agents that run in their own terminal UI. They belong to
 * the runner and survive the hub; the hub is told which there are, and gets the output of those that are watched.
 */
export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  list(): TerminalView[] {
    return [...this.#entries.values()].map(({ view }) => view);
  }

  /** Whether any program is still running. */
  get areRunning(): boolean {
    return this.list().some(({ end }) => end === undefined);
  }

  /** Opens a shell in a folder. The same id again is the same shell. */
  async openShell(order: OrderOfKind<"open-shell">): Promise<void> {
    if (this.#entries.has(order.terminal)) return;
    const { terminal: id, session, name, folder: named, cols, rows, allowed } = order;
    this.#requireRoom();
    const folder = allowed ? resolveAllowedFolder(named, allowed) : await resolveFolder(named);
    const program = getShellProgram(this.#options.inheritFrom);
    const terminal = new Terminal({ cols, rows });
    const startedAt = Date.now();
    const view: TerminalView = { id, session, kind: "shell", name, folder, startedAt, cols, rows };
    try {
      const pty = await startPty({
        ...program,
        folder,
        runId: `${id}/${this.#options.owner}`,
        size: { cols, rows },
        onOutput: terminal.onOutput,
      });
      terminal.attach(pty);
      this.add(view, terminal);
    } catch (failure) {
      terminal.dispose();
      throw new OrderError(
        "shell-failed",
        `The shell could not be started: ${errorMessage(failure)}`,
      );
    }
  }

  /** Makes a terminal known to the hub, and keeps its last screen when its program has ended. */
  add(view: TerminalView, terminal: ShownTerminal, onInput?: (by: Typist) => void): void {
    const entry: Entry = { view, terminal, counts: new Map(), ...(onInput && { onInput }) };
    this.#entries.set(view.id, entry);
    this.#report();
    void this.#noteEnd(entry);
  }

  /** Makes the terminal of an agent known. The ended ones of the same session are forgotten. */
  addAgent(view: TerminalView, terminal: ShownTerminal, onInput: (by: Typist) => void): void {
    for (const { id, session, kind, end } of this.list()) {
      if (session === view.session && kind === "agent" && end) this.forget(id);
    }
    this.add(view, terminal, onInput);
  }

  /** Removes a terminal whose program has ended, or was never started. */
  forget(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.stream?.end();
    entry.terminal.dispose();
    this.#entries.delete(id);
    this.#report();
  }

  async #noteEnd(entry: Entry): Promise<void> {
    const { code, signal } = await entry.terminal.exited;
    entry.view = { ...entry.view, end: { exitCode: code, signal, at: Date.now() } };
    this.#report();
  }

  /** Ends a terminal's program, if it still runs, and forgets the terminal. */
  async close(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry) return;
    await entry.terminal.close();
    this.forget(id);
  }

  rename(id: string, name: string): void {
    const entry = this.#get(id);
    entry.view = { ...entry.view, name };
    this.#report();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id)));
  }

  /** A new connection to the hub: it knows nothing of what was streamed before. */
  onConnected(): void {
    this.onDisconnected();
    this.#report();
  }

  onDisconnected(): void {
    for (const entry of this.#entries.values()) {
      entry.stream?.end();
      delete entry.stream;
    }
  }

  receive(frame: TerminalFrameToRunner): void {
    const entry = this.#entries.get(frame.terminal);
    if (!entry) return; // it was closed meanwhile, and the hub has been told
    switch (frame.type) {
      case "terminal-watch":
        if (entry.stream) entry.stream.requestSnapshot();
        else entry.stream = new TerminalStream(frame.terminal, entry.terminal, this.#options.send);
        break;
      case "terminal-leave":
        entry.stream?.end();
        delete entry.stream;
        break;
      case "terminal-ack":
        entry.stream?.acknowledge(frame.at);
        break;
      case "terminal-input":
        this.#onInput(entry, frame);
        break;
      case "terminal-resize":
        this.#resize(entry, frame);
        break;
      default:
        frame satisfies never;
    }
  }

  /** What is typed counts only with the signature of an approver's device, and only once. */
  #onInput(entry: Entry, frame: FrameToRunnerOfType<"terminal-input">): void {
    const { terminal: id, source, count, data, by, name, signature } = frame;
    const { runner, approvers } = this.#options;
    const typist = `${by}/${source}`;
    if (count <= (entry.counts.get(typist) ?? 0)) return;
    const { instance } = entry.terminal;
    const input = { runner, terminal: id, instance, source, count, data };
    if (approvers && !approvers.hasSignedInput(input, { by, signature })) return;
    entry.counts.set(typist, count);
    if (!reports.test(data)) entry.onInput?.({ device: by, ...(name !== undefined && { name }) });
    entry.terminal.write(data);
  }

  #resize(entry: Entry, { cols, rows }: TerminalSize): void {
    entry.terminal.resize({ cols, rows });
    entry.view = { ...entry.view, ...entry.terminal.size };
  }

  #get(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry) return entry;
    throw new OrderError("no-such-terminal", "This terminal is closed.");
  }

  #requireRoom(): void {
    if (this.#entries.size < MAX_TERMINALS) return;
    const detail = `This machine has ${MAX_TERMINALS} terminals. Close some that you no longer need.`;
    throw new OrderError("too-many-terminals", detail);
  }

  #report(): void {
    this.#options.send({ type: "terminals", terminals: this.list() });
  }
}
