/**
 * Starts a worker of this folder, from its source or its built file, and passes its messages to one
 * listener.
 */
export class WorkerThread<To, From> {
  readonly #worker: Worker;

  constructor(name: string, hear: (message: From) => void, died: (why: string) => void) {
    const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
    this.#worker = new Worker(new URL(`./${name}.${ending}`, import.meta.url));
    this.#worker.addEventListener("message", ({ data }: MessageEvent<From>) => hear(data));
    this.#worker.addEventListener("error", ({ message }) => died(message));
  }

  send(message: To): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
    this.#worker.postMessage(message);
  }

  end(): void {
    this.#worker.terminate();
  }
}
