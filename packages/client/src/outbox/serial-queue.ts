/** Does one thing after the other, in the order in which they were wished for. */
export class SerialQueue {
  #before: Promise<unknown> = Promise.resolve();

  do<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#before.then(work);
    this.#before = done.catch(() => {}); // whoever wished for it hears of it
    return done;
  }
}
