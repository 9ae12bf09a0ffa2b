import { READABLE } from "@signalbox/host/asks";
import type { Change, Fence, Store } from "../store/store.ts";
import { commitWhenWritable } from "../store/commit-when-writable.ts";
import type { SpooledLine } from "./received-line.ts";
import { getPreview } from "./decode-line.ts";

/** Where the chunks of a line are stored, and what proves that this hub may store them. */
interface ChunkStore {
  readonly store: Store;
  readonly getFence: () => Fence | undefined;
}

/** Bytes that are written to the store in pieces. */
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
 * A line that arrives in chunks. Up to the readable length it is held until it is complete. A longer line is
 * written to the store as it arrives, and only its beginning is held.
 */
export class ChunkedLine {
  readonly seq: number;
  /** How many pieces were accepted. */
  storedPieces = 0;
  readonly #session: string;
  readonly #target: ChunkStore | undefined;
  readonly #abandoned = new AbortController();
  #adding: Promise<void>[] = [];
  #spooling: Promise<void> = Promise.resolve();
  #texts: string[] = [];
  #originals: Uint8Array[] = [];
  #preview = "";
  #characters = 0;
  #spooled: { readonly text: SpooledBytes; readonly original: SpooledBytes } | undefined;

  /** Without a store the line is not wanted, and its chunks are discarded. */
  constructor(target: ChunkStore | undefined, session: string, seq: number) {
    this.#target = target;
    this.#session = session;
    this.seq = seq;
  }

  /** Adds a piece. Settles when the piece is held or stored. */
  add(text: string, original: Uint8Array | undefined): Promise<void> {
    const adding = this.#add(text, original).then(() => void (this.storedPieces += 1));
    this.#adding.push(adding);
    return adding;
  }

  /** Settles when all pieces so far are stored. */
  async waitUntilStored(): Promise<void> {
    await Promise.all(this.#adding);
  }

  async #add(text: string, original: Uint8Array | undefined): Promise<void> {
    const target = this.#target;
    if (!target) return;
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
    for (const piece of pieces) this.#spool(target, piece);
    await this.#spooling;
  }

  /**
   * Stores pieces one at a time, and creates each only when its turn comes, so that other commits do not wait
   * for many of them and the hub is not blocked while held megabytes are hashed.
   */
  #spool({ store, getFence }: ChunkStore, piece: () => Change): void {
    this.#spooling = this.#spooling.then(() => {
      const change = piece();
      return commitWhenWritable(store, () => [change], this.#abandoned.signal, getFence);
    });
  }

  /** The complete line, or the beginning of one that is in the store. */
  finish(): { text: string; original: Uint8Array | undefined; spooledLine?: SpooledLine } {
    if (!this.#spooled) {
      const originals = this.#originals;
      const original = originals.length > 0 ? new Uint8Array(Buffer.concat(originals)) : undefined;
      return { text: this.#texts.join(""), original };
    }
    const text = this.#spooled.text.createBlob(this.#session);
    const { original } = this.#spooled;
    const bytes = original.isEmpty ? undefined : original.createBlob(this.#session);
    const spooledLine = {
      characters: this.#characters,
      textBlob: text.hash,
      originalBlob: bytes?.hash ?? null,
      changes: bytes ? [text, bytes] : [text],
    };
    return { text: this.#preview, original: undefined, spooledLine };
  }

  /** Discards the line, because the rest of it will not come. */
  abandon(): void {
    this.#abandoned.abort();
    if (!this.#spooled || !this.#target) return;
    const { text, original } = this.#spooled;
    const releaseMessages = [text, original].map(
      ({ of }) => ({ kind: "pieces-gone", of }) as const,
    );
    // No fence: these pieces are this hub's own. If this fails, they are removed when the store opens again.
    void this.#target.store.commit(releaseMessages).catch(() => {});
  }
}

/** The preview of a line, read from as few of its chunks as possible. */
function getPreviewOfChunks(texts: readonly string[]): string {
  let beginning = "";
  for (const text of texts) {
    const longer = getPreview(beginning + text);
    if (text !== "" && longer === beginning) break;
    beginning = longer;
  }
  return beginning;
}
