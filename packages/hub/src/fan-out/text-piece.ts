/** Text that was added to an item, as the frames that tell of it. */
export class TextPiece {
  readonly #session: string;
  readonly #item: string;
  readonly #at: number;
  readonly #text: string;
  #frame: string | undefined;
  #shortFrame: string | undefined;

  constructor(session: string, item: string, at: number, text: string) {
    this.#session = session;
    this.#item = item;
    this.#at = at;
    this.#text = text;
  }

  get frame(): string {
    const [session, item, at, text] = [this.#session, this.#item, this.#at, this.#text];
    return (this.#frame ??= JSON.stringify({ type: "text", session, item, at, text }));
  }

  /** For a client whose last text this one continues: the text alone. */
  get shortFrame(): string {
    return (this.#shortFrame ??= JSON.stringify(this.#text));
  }

  /** Whether this text begins where the other one ends. */
  continues(before: TextPiece | undefined): boolean {
    return (
      before !== undefined &&
      before.#item === this.#item &&
      before.#session === this.#session &&
      before.#at + before.#text.length === this.#at
    );
  }
}
