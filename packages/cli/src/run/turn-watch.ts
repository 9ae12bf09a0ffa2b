import { type Decoded, type Message, resultError, resultSessionId } from "@signalbox/protocol";

/** After background work has ended the agent may begin a turn of its own within this time. */
const OWN_TURN_MS = 1500;

/** Tells when a run has nothing left to do: a turn may end while work goes on in the background. */
export class TurnWatch {
  readonly finished: Promise<void>;
  #last: Message<"result"> | undefined;
  #background = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #finish: () => void = () => {};

  constructor() {
    this.finished = new Promise((resolve) => (this.#finish = resolve));
  }

  get last(): Message<"result"> | undefined {
    return this.#last;
  }

  get sessionId(): string | undefined {
    return this.#last && resultSessionId(this.#last);
  }

  get error(): string | undefined {
    return this.#last && resultError(this.#last);
  }

  see(line: Decoded): void {
    if (line.kind !== "known") return;
    const { message } = line;
    if (message.type === "result") {
      this.#last = message;
      if (this.#background === 0) this.#finish();
    } else if (message.type === "system" && message.subtype === "init") {
      clearTimeout(this.#timer);
    } else if (message.type === "system" && message.subtype === "background_tasks_changed") {
      this.#background = message.tasks.length;
      if (this.#background === 0 && this.#last) this.#timer = setTimeout(this.#finish, OWN_TURN_MS);
    }
  }
}
