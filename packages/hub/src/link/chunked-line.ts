import { READABLE } from "@signalbox/host/asks";
import type { Change, Store } from "../store/store.ts";
import { commitWhenWritable } from "../store/commit-when-writable.ts";
import type { SpooledLine } from "./received-line.ts";
import { getPreview } from "./decode-line.ts";

/** Bytes that are brought to the store piece by piece. */
class SpooledBytes {
  readonly of: string = crypto.randomUUID();
  readonly #hash = new Bun.CryptoHasher("sha256");
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  createPiece(bytes: Uint8Array): Change {
    const start = this.#size;
    this.#hash.update(bytes);
    this.#size += bytes.length;
    return { kind: "piece", of: this.of, start, bytes };
  }

  createBlob(session: string): Extract<Change, { kind: "blob-of-pieces" }> {
    const { of } = this;
    const hash = this.#hash.digest("hex");
    return { kind: "blob-of-pieces", session, hash, of, size: this.#size };
  }
}

/**
 * A line that arrives in chunks. One that can be read is held until it is whole. A longer one goes to the
 * store as it comes, and only its beginning is held.
 */
export class ChunkedLine {
  readonly seq: number;
  /** How many pieces are taken in. */
  storedPieces = 0;
  readonly #session: string;
  readonly #store: Store | undefined;
  readonly #abandoned = new AbortController();
  #adding: Promise<void>[] = [];
  #spooling: Promise<void> = Promise.resolve();
  #texts: string[] = [];
  #originals: Uint8Array[] = [];
  #preview = "";
  #characters = 0;
  #spooled: { readonly text: SpooledBytes; readonly original: SpooledBytes } | undefined;

  /** Without a store it is not wanted, and goes nowhere. */
  constructor(store: Store | undefined, session: string, seq: number) {
    this.#store = store;
    this.#session = session;
    this.seq = seq;
  }

  /** Settles when this piece is taken in: held, or stored. */
  add(text: string, original: Uint8Array | undefined): Promise<void> {
    const adding = this.#add(text, original).then(() => void (this.storedPieces += 1));
    this.#adding.push(adding);
    return adding;
  }

  /** Settles when all that came is. */
  async waitUntilStored(): Promise<void> {
    await Promise.all(this.#adding);
  }

  async #add(text: string, original: Uint8Array | undefined): Promise<void> {
    const store = this.#store;
    if (!store) return;
    this.#texts.push(text);
    if (original) this.#originals.push(original);
    this.#characters += text.length;
    if (this.#characters <= READABLE) return;
    this.#preview ||= getPreviewOfChunks(this.#texts);
    this.#spooled ??= { text: new SpooledBytes(), original: new SpooledBytes() };
    const { text: texts, original: originals } = this.#spooled;
    const pieces = [
      ...this.#texts.map((each) => () => texts.createPiece(Buffer.from(each))),
      ...this.#originals.map((each) => () => originals.createPiece(each)),
    ];
    this.#texts = [];
    this.#originals = [];
    for (const piece of pieces) this.#spool(store, piece);
    await this.#spooling;
  }

  /**
   * One at a time, and each is made when its turn comes: what others have to store does not wait for many
   * of them, nor does the hub stand still while the megabytes that were held so far are hashed.
   */
  #spool(store: Store, piece: () => Change): void {
    this.#spooling = this.#spooling.then(() => {
      const change = piece();
      return commitWhenWritable(store, () => [change], this.#abandoned.signal);
    });
  }

  /** The line, or the beginning of one that lies in the store. */
  finish(): { text: string; original: Uint8Array | undefined; kept?: SpooledLine } {
    if (!this.#spooled) {
      const originals = this.#originals;
      const original = originals.length > 0 ? new Uint8Array(Buffer.concat(originals)) : undefined;
      return { text: this.#texts.join(""), original };
    }
    const text = this.#spooled.text.createBlob(this.#session);
    const { original } = this.#spooled;
    const bytes = original.isEmpty ? undefined : original.createBlob(this.#session);
    const kept = {
      characters: this.#characters,
      textBlob: text.hash,
      originalBlob: bytes?.hash ?? null,
      changes: bytes ? [text, bytes] : [text],
    };
    return { text: this.#preview, original: undefined, kept };
  }

  /** The rest will not come. */
  abandon(): void {
    this.#abandoned.abort();
    if (!this.#spooled || !this.#store) return;
    const { text, original } = this.#spooled;
    const gone = [text, original].map(({ of }) => ({ kind: "pieces-gone", of }) as const);
    void this.#store.commit(gone).catch(() => {}); // else they go when the store opens again
  }
}

/** The preview of a line, read from as few of its chunks as it takes. */
function getPreviewOfChunks(texts: readonly string[]): string {
  let beginning = "";
  for (const text of texts) {
    const longer = getPreview(beginning + text);
    if (text !== "" && longer === beginning) break;
    beginning = longer;
  }
  return beginning;
}
