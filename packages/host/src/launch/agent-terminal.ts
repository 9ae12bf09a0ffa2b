interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** The whole screen at one place of the stream. */
export interface TerminalSnapshot extends Size {
  readonly instance: string;
  readonly epoch: string;
  readonly at: number;
  readonly text: string;
}

/** What a terminal tells whoever follows it, in the order of the stream. */
export interface TerminalListener {
  onOutput(at: number, text: string): void;
  onSize(size: Size): void;
  /** The stream cannot go on from where it was: only a snapshot helps. */
  onReset(): void;
}

/** A terminal as its followers and typists use it. */
export interface ShownTerminal {
  readonly instance: string;
  readonly epoch: string;
  readonly size: Size;
  /** Settles when the program has ended. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  follow(listener: TerminalListener | undefined): void;
  snapshot(): Promise<TerminalSnapshot>;
  write(text: string): void;
  resize(size: Size): void;
  close(): Promise<void>;
  dispose(): void;
}

/** Who typed into a terminal. */
export interface Typist {
  readonly device: string;
  readonly name?: string;
}

/** The terminal in which an agent shows itself, and in which people can answer it. */
export interface AgentTerminal extends ShownTerminal {
  /** Called before what a person typed is written. */
  onTyped(by: Typist): void;
}

/** The answer to a request that a person gave in the terminal. */
export interface TerminalAnswer {
  readonly requestId: string;
  readonly behavior: "allow" | "deny";
  readonly by: Typist;
}
