import type { HubClient, TerminalWatch } from "@signalbox/client";
import { Screen } from "@signalbox/host/pty";
import { until } from "./until.ts";

/** A terminal as a viewer sees it, drawn on a screen without a face. */
export class SeenTerminal implements Disposable {
  readonly #watch: TerminalWatch;
  #screen = new Screen({ cols: 80, rows: 24 }, (answer) => this.answers.push(answer));
  /** What this viewer's terminal would answer to queries that reached it: there must be none. */
  readonly answers: string[] = [];
  snapshots = 0;
  gone = false;

  constructor(client: HubClient, terminal: string, runner: string) {
    this.#watch = client.watchTerminal(terminal, runner, {
      onSnapshot: (snapshot) => {
        this.snapshots += 1;
        this.#screen.dispose();
        this.#screen = new Screen(snapshot, (answer) => this.answers.push(answer));
        return this.#draw(snapshot.text);
      },
      onOutput: (text) => this.#draw(text),
      onSize: (size) => this.#screen.resize(size),
      onGone: () => (this.gone = true),
    });
  }

  #draw(text: string): Promise<void> {
    return new Promise((resolve) => this.#screen.write(text, resolve));
  }

  get text(): string {
    return this.#screen.visibleText();
  }
  get size() {
    return this.#screen.size;
  }
  type(data: string): void {
    this.#watch.type(data);
  }
  resize(size: { cols: number; rows: number }): void {
    this.#watch.resize(size);
  }

  /** Settles when the screen shows this text. */
  async shows(text: string): Promise<void> {
    await until(
      `the terminal shows ${JSON.stringify(text)}`,
      () => (this.text.includes(text) ? true : undefined),
      { seen: () => this.text },
    );
  }

  [Symbol.dispose](): void {
    this.#watch.close();
    this.#screen.dispose();
  }
}
