/** Runs tasks one after the other, in the order in which they were added. */
export class SerialQueue {
  #before: Promise<unknown> = Promise.resolve();

  do<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#before.then(work);
    this.#before = done.catch(() => {}); // The caller gets the error.
    return done;
  }
}
