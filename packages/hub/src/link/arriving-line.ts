import { READABLE } from "@signalbox/host/asks";
import type { Change, Store } from "../log/store.ts";
import { commitWhenWritable } from "../log/when-writable.ts";
import type { KeptLine } from "../session/conversation.ts";
import { beginningOf } from "../session/read-line.ts";

/** Bytes that are brought to the store piece by piece. */
class KeptBytes {
  readonly of: string = crypto.randomUUID();
  readonly #hash = new Bun.CryptoHasher("sha256");
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  piece(bytes: Uint8Array): Change {
    const start = this.#size;
    this.#hash.update(bytes);
    this.#size += bytes.length;
    return { kind: "piece", of: this.of, start, bytes };
  }

  blob(session: string): Extract<Change, { kind: "blob-of-pieces" }> {
    const { of } = this;
    const hash = this.#hash.digest("hex");
    return { kind: "blob-of-pieces", session, hash, of, size: this.#size };
  }
}

/**
 * A line that arrives in chunks. One that can be read is held until it is whole. A longer one goes to the
 * store as it comes, and only its beginning is held.
 */
export class ArrivingLine {
  readonly seq: number;
  /** How many pieces are taken in. */
  pieces = 0;
  readonly #session: string;
  readonly #store: Store | undefined;
  readonly #givenUp = new AbortController();
  #adding: Promise<void>[] = [];
  #keeping: Promise<void> = Promise.resolve();
  #texts: string[] = [];
  #originals: Uint8Array[] = [];
  #beginning = "";
  #characters = 0;
  #kept: { readonly text: KeptBytes; readonly original: KeptBytes } | undefined;

  /** Without a store it is not wanted, and goes nowhere. */
  constructor(store: Store | undefined, session: string, seq: number) {
    this.#store = store;
    this.#session = session;
    this.seq = seq;
  }

  /** Settles when this piece is taken in: held, or stored. */
  add(text: string, original: Uint8Array | undefined): Promise<void> {
    const adding = this.#add(text, original).then(() => void (this.pieces += 1));
    this.#adding.push(adding);
    return adding;
  }

  /** Settles when all that came is. */
  async stored(): Promise<void> {
    await Promise.all(this.#adding);
  }

  async #add(text: string, original: Uint8Array | undefined): Promise<void> {
    const store = this.#store;
    if (!store) return;
    this.#texts.push(text);
    if (original) this.#originals.push(original);
    this.#characters += text.length;
    if (this.#characters <= READABLE) return;
    this.#beginning ||= beginningOfAll(this.#texts);
    this.#kept ??= { text: new KeptBytes(), original: new KeptBytes() };
    const { text: texts, original: originals } = this.#kept;
    const pieces = [
      ...this.#texts.map((each) => () => texts.piece(Buffer.from(each))),
      ...this.#originals.map((each) => () => originals.piece(each)),
    ];
    this.#texts = [];
    this.#originals = [];
    for (const piece of pieces) this.#keep(store, piece);
    await this.#keeping;
  }

  /**
   * One at a time, and each is made when its turn comes: what others have to store does not wait for many
   * of them, nor does the hub stand still while the megabytes that were held so far are hashed.
   */
  #keep(store: Store, piece: () => Change): void {
    this.#keeping = this.#keeping.then(() => {
      const change = piece();
      return commitWhenWritable(store, () => [change], this.#givenUp.signal);
    });
  }

  /** The line, or the beginning of one that lies in the store. */
  finish(): { text: string; original: Uint8Array | undefined; kept?: KeptLine } {
    if (!this.#kept) {
      const originals = this.#originals;
      const original = originals.length > 0 ? new Uint8Array(Buffer.concat(originals)) : undefined;
      return { text: this.#texts.join(""), original };
    }
    const text = this.#kept.text.blob(this.#session);
    const { original } = this.#kept;
    const bytes = original.isEmpty ? undefined : original.blob(this.#session);
    const kept = {
      characters: this.#characters,
      textBlob: text.hash,
      originalBlob: bytes?.hash ?? null,
      changes: bytes ? [text, bytes] : [text],
    };
    return { text: this.#beginning, original: undefined, kept };
  }

  /** The rest will not come. */
  drop(): void {
    this.#givenUp.abort();
    if (!this.#kept || !this.#store) return;
    const { text, original } = this.#kept;
    const gone = [text, original].map(({ of }) => ({ kind: "pieces-gone", of }) as const);
    void this.#store.commit(gone).catch(() => {}); // else they go when the store opens again
  }
}

/** Of as few of the texts as it takes. */
function beginningOfAll(texts: readonly string[]): string {
  let beginning = "";
  for (const text of texts) {
    const longer = beginningOf(beginning + text);
    if (text !== "" && longer === beginning) break;
    beginning = longer;
  }
  return beginning;
}
