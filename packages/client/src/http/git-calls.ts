import type { SentBody, StagedChange, UndoHandle } from "@signalbox/api";
import type { CallOptions } from "./caller.ts";
import type { Calls } from "./calls.ts";

/** Calls that change the files and the repository of a session's folder. */
export class GitCalls {
  readonly #calls: Pick<Calls, "call">;

  constructor(calls: Pick<Calls, "call">) {
    this.#calls = calls;
  }

  /** Puts a file, or a hunk of its change against `index`, into the index. */
  stage(session: string, change: StagedChange, call?: CallOptions): Promise<void> {
    const path = "POST /api/sessions/:session/working-changes/stage";
    return this.#calls.call(path, { params: { session }, body: change }, call);
  }
  /** Takes a file, or a hunk of its change against `staged`, out of the index. */
  unstage(session: string, change: StagedChange, call?: CallOptions): Promise<void> {
    const path = "POST /api/sessions/:session/working-changes/unstage";
    return this.#calls.call(path, { params: { session }, body: change }, call);
  }
  /** Makes a file or a hunk as it is in what it is compared with. */
  revert(
    session: string,
    change: SentBody<"POST /api/sessions/:session/working-changes/revert">,
    call?: CallOptions,
  ): Promise<UndoHandle> {
    const path = "POST /api/sessions/:session/working-changes/revert";
    return this.#calls.call(path, { params: { session }, body: change }, call);
  }
  /** Puts back what a revert has changed, byte for byte. */
  undo(session: string, handle: UndoHandle, call?: CallOptions): Promise<void> {
    const path = "POST /api/sessions/:session/working-changes/undo";
    return this.#calls.call(path, { params: { session }, body: handle }, call);
  }
}
