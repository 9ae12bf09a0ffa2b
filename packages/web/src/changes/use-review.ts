import type { Session } from "@signalbox/client";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { announceSentMessage } from "../store/sent-message.ts";
import { strings } from "../strings/strings.ts";
import { formatReview } from "./format-review.ts";
import type { ReviewComment } from "./review-comment.ts";
import { ReviewStore } from "./review-store.ts";

const text = strings.changes.review;

/** Where a comment is being written. */
export interface CommentTarget {
  readonly path: string;
  readonly side: "old" | "new";
  /** Undefined: on the whole file. */
  readonly lines?: { readonly first: number; readonly last: number };
  readonly code: string;
  readonly before?: string;
  readonly after?: string;
  /** The line with which the selection began. */
  readonly start?: number;
  /** Lines are still being selected with the pointer. */
  readonly isSelecting?: boolean;
  /** The comment that is edited. */
  readonly edited?: ReviewComment;
}

export interface Review {
  readonly comments: readonly ReviewComment[];
  readonly pending: readonly ReviewComment[];
  readonly target: CommentTarget | undefined;
  readonly setTarget: (target: CommentTarget | undefined) => void;
  readonly save: (target: CommentTarget, said: string) => void;
  readonly remove: (comment: ReviewComment) => void;
  readonly setResolved: (comment: ReviewComment, isResolved: boolean) => void;
  /** Sends all pending comments as one message. */
  readonly send: () => Promise<void>;
}

/** The review of a session's changes. */
export function useReview({ id }: Session): Review {
  const { client, toasts } = useAppContext();
  const [store] = useState(
    () => new ReviewStore(client, id, (why) => toasts.showError(text.couldNotSave, new Error(why))),
  );
  useEffect(() => () => store.close(), [store]);
  const comments = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const [target, setTarget] = useState<CommentTarget>();
  const pending = useMemo(() => comments.filter(({ state }) => state === "pending"), [comments]);
  const save = useCallback(
    (chosen: CommentTarget, said: string) => {
      setTarget(undefined);
      const { edited, isSelecting: _selecting, start: _start, ...place } = chosen;
      const at = Math.max(Date.now(), (edited?.at ?? 0) + 1);
      const id = edited?.id ?? crypto.randomUUID();
      store.put([{ ...place, id, text: said, state: "pending", at }]);
    },
    [store],
  );
  const send = useCallback(async () => {
    if (pending.length === 0) return;
    try {
      await client.outbox.add(id, { text: formatReview(pending) });
      store.setState(pending, "sent");
      announceSentMessage(id);
      toasts.show(text.sent(pending.length));
    } catch (failure) {
      toasts.showError(text.couldNotSend, failure);
    }
  }, [client, toasts, store, id, pending]);
  return useMemo(
    () => ({
      comments,
      pending,
      target,
      setTarget,
      save,
      remove: (comment) => store.setState([comment], "deleted"),
      setResolved: (comment, isResolved) =>
        store.setState([comment], isResolved ? "resolved" : "sent"),
      send,
    }),
    [comments, pending, target, save, send, store],
  );
}
