import { Screen } from "@signalbox/host/pty";
import { type EngineStage, person } from "./engine-stage.ts";
import { until } from "./until.ts";

/** The terminal of a session's agent as a client of an engine sees it, with keys to type into it. */
export class SeenScreen implements Disposable {
  readonly #stage: EngineStage;
  readonly #terminal: string;
  readonly #viewer: ReturnType<EngineStage["engine"]["clients"]["connect"]>;
  #screen = new Screen({ cols: 120, rows: 36 }, () => {});
  #count = 0;

  constructor(stage: EngineStage, session: string) {
    this.#stage = stage;
    const found = stage.engine.terminals
      .list()
      .find((view) => view.session === session && view.kind === "agent" && !view.end);
    if (!found) throw new Error("The session's agent has no terminal.");
    this.#terminal = found.id;
    this.#viewer = stage.engine.clients.connect((text) => this.#onFrame(text));
    this.#viewer.watchTerminal(found.id);
  }

  #onFrame(text: string): void {
    const frame = JSON.parse(text) as { type: string; text: string; cols: number; rows: number };
    if (frame.type === "terminal-snapshot") {
      this.#screen.dispose();
      this.#screen = new Screen(frame, () => {});
    }
    if (/^terminal-(?:snapshot|output)$/.test(frame.type)) this.#screen.write(frame.text, () => {});
  }

  get text(): string {
    return this.#screen.visibleText();
  }

  async shows(text: string): Promise<void> {
    await until(`the terminal shows ${text}`, () => this.text.includes(text), {
      seen: () => this.text,
    });
  }

  /** Presses a key that answers a dialog. Claude Code ignores keys right after it has shown one. */
  async answer(question: string, key: string): Promise<void> {
    await this.shows(question);
    for (let waited = 0; this.text.includes(question); waited += 100) {
      if (waited % 1500 === 0) this.type(key);
      await Bun.sleep(100);
    }
  }

  type(data: string): void {
    this.#count += 1;
    const place = { terminal: this.#terminal, source: "test", count: this.#count };
    const { device, name } = person;
    this.#stage.engine.terminals.sendInput({ ...place, data, signature: "" }, device, name);
  }

  [Symbol.dispose](): void {
    this.#viewer.close();
    this.#screen.dispose();
  }
}
