/** Starts a worker, from its source or its built file, and passes its messages to one listener. */
export class WorkerThread<To, From> {
  readonly #worker: Worker;

  /** `importer`: the `import.meta.url` of a file in the worker's folder. */
  constructor(
    importer: string,
    name: string,
    hear: (message: From) => void,
    died: (why: string) => void,
  ) {
    const ending = importer.endsWith(".ts") ? "ts" : "js";
    this.#worker = new Worker(new URL(`./${name}.${ending}`, importer));
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
