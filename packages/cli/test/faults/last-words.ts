const KEPT = 4000;
const LONGEST_WAIT = 1000;

/** The last that a process said on its error stream, which is read all the time so that it never waits. */
export class LastOutput {
  #text = "";
  readonly #ended: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>, print: boolean) {
    this.#ended = this.#read(stream, print);
  }

  async #read(stream: ReadableStream<Uint8Array>, print: boolean): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.#text = (this.#text + decoder.decode(chunk, { stream: true })).slice(-KEPT);
      if (print) process.stderr.write(chunk);
    }
  }

  /** Of a process that is gone; whatever it started may still hold the stream open. */
  async all(): Promise<string> {
    await Promise.race([this.#ended, Bun.sleep(LONGEST_WAIT)]);
    return this.#text.trim() || "nothing";
  }
}

/** What is waited for, or an error with the last words of a process that ends before that. */
export async function whileAlive<T>(
  name: string,
  child: { readonly exited: Promise<number> },
  words: LastOutput,
  work: Promise<T>,
): Promise<T> {
  const died = child.exited.then(async (code) => {
    throw new Error(`the ${name} ended by itself (${code}) and said: ${await words.all()}`);
  });
  return Promise.race([work, died]);
}
