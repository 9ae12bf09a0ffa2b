import { useState } from "react";
import { Link } from "../navigation/link.tsx";
import { UndeliveredDraft, UndeliveredMessage } from "../unsent/undelivered.tsx";
import { useUnsentContent } from "../store/use-unsent.ts";
import { useDraft } from "../store/use-draft.ts";
import { emptyDraft, isEmptyDraft } from "../store/drafts.ts";

/** Shown in place of a deleted session: the messages and the draft that never reached it. */
export function DeletedSession({ id }: { id: string }) {
  const all = useUnsentContent();
  const messages = [...all.orphanedMessages, ...all.waiting].filter(
    ({ session }) => session === id,
  );
  const [draft] = useDraft(id);
  const [begun] = useState(() => !isEmptyDraft(draft));
  // The draft stays visible while the person clears it to type something else.
  const written = !isEmptyDraft(draft) || (begun && draft !== emptyDraft);
  return (
    <div className="flex grow flex-col gap-3 overflow-y-auto p-4">
      <p>This session does not exist any more, or never did.</p>
      <p>
        <Link href="/" className="button">
          Back to the board
        </Link>
      </p>
      {(messages.length > 0 || written) && (
        <section className="flex max-w-3xl flex-col gap-2">
          <h2 className="font-semibold">What you wrote and it never got</h2>
          <ul className="flex flex-col gap-3">
            {messages.map((message) => (
              <UndeliveredMessage key={message.id} message={message} />
            ))}
            {written && <UndeliveredDraft session={id} goOn />}
          </ul>
        </section>
      )}
    </div>
  );
}
