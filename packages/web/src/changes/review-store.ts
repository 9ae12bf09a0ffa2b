import type { DraftSaved, DraftView, NewDraft } from "@signalbox/api";
import { errorMessage } from "@signalbox/protocol/text";
import {
  mergeComments,
  parseComments,
  type ReviewComment,
  serializeComments,
} from "./review-comment.ts";

/** The part of the client by which a review follows a person to other devices. */
interface ReviewHub {
  drafts(): Promise<readonly DraftView[]>;
  saveDraft(draft: NewDraft): Promise<DraftSaved>;
  onDraft(listener: (draft: DraftView) => void): () => void;
  onState(listener: () => void): () => void;
}

const MAX_TRIES = 5;

/** The comments on the changes of a session. They are stored at the hub, and in this browser until they are there. */
export class ReviewStore {
  readonly #hub: ReviewHub;
  readonly #name: string;
  readonly #onFailed: (why: string) => void;
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[];
  #comments: readonly ReviewComment[];
  #shown: readonly ReviewComment[] = [];
  #rev = 0;
  #saved = "";
  #isSaving = false;

  constructor(hub: ReviewHub, session: string, onFailed: (why: string) => void) {
    this.#hub = hub;
    this.#name = `review/${session}`;
    this.#onFailed = onFailed;
    this.#comments = readUnsaved(this.#name);
    this.#show();
    this.#stops = [
      hub.onDraft((draft) => draft.name === this.#name && this.#receive(draft)),
      hub.onState(() => void this.#load()),
    ];
    void this.#load();
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  /** The comments that are not deleted, in the order in which they were made. */
  readonly getSnapshot = (): readonly ReviewComment[] => this.#shown;

  put(comments: readonly ReviewComment[]): void {
    this.#set(mergeComments(this.#comments, comments));
    storeUnsaved(this.#name, this.#comments);
    void this.#save();
  }

  setState(comments: readonly ReviewComment[], state: ReviewComment["state"]): void {
    const at = Date.now();
    this.put(comments.map((comment) => ({ ...comment, state, at: Math.max(at, comment.at + 1) })));
  }

  async #load(): Promise<void> {
    try {
      const found = (await this.#hub.drafts()).find(({ name }) => name === this.#name);
      if (found) this.#receive(found);
      else void this.#save();
    } catch {
      // A viewer has no drafts, and without a connection it is loaded with the next one.
    }
  }

  #receive(draft: DraftView): void {
    if (draft.rev <= this.#rev && this.#rev > 0) return;
    this.#rev = draft.rev;
    this.#saved = draft.text;
    this.#set(mergeComments(parseComments(draft.text), this.#comments));
    void this.#save();
  }

  async #save(): Promise<void> {
    if (this.#isSaving) return;
    this.#isSaving = true;
    try {
      for (let tries = 0; tries < MAX_TRIES && this.#isDirty(); tries++) {
        const text = serializeComments(this.#comments);
        const { isSaved, rev } = await this.#hub.saveDraft({
          name: this.#name,
          text,
          base: this.#rev,
        });
        if (isSaved) {
          this.#rev = rev;
          this.#saved = text;
        } else {
          const found = (await this.#hub.drafts()).find(({ name }) => name === this.#name);
          this.#rev = found?.rev ?? 0;
          this.#saved = found?.text ?? "";
          this.#set(mergeComments(parseComments(this.#saved), this.#comments));
        }
      }
      if (!this.#isDirty()) storeUnsaved(this.#name, []);
    } catch (failure) {
      this.#onFailed(errorMessage(failure));
    }
    this.#isSaving = false;
  }

  #isDirty(): boolean {
    return this.#comments.length > 0 && serializeComments(this.#comments) !== this.#saved;
  }

  #set(comments: readonly ReviewComment[]): void {
    this.#comments = comments;
    this.#show();
    for (const listener of this.#listeners) listener();
  }

  #show(): void {
    this.#shown = this.#comments.filter(({ state }) => state !== "deleted");
  }
}

const key = (name: string) => `signalbox.${name}`;

function readUnsaved(name: string): ReviewComment[] {
  try {
    return parseComments(localStorage.getItem(key(name)) ?? "");
  } catch {
    return [];
  }
}

function storeUnsaved(name: string, comments: readonly ReviewComment[]): void {
  try {
    if (comments.length === 0) localStorage.removeItem(key(name));
    else localStorage.setItem(key(name), serializeComments(comments));
  } catch {
    // The hub has them in a moment.
  }
}
