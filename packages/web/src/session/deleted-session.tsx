import { useState } from "react";
import { Link } from "../navigation/link.tsx";
import { UndeliveredDraft, UndeliveredMessage } from "../unsent/undelivered.tsx";
import { useUnsentContent } from "../store/use-unsent.ts";
import { useDraft } from "../store/use-draft.ts";
import { emptyDraft, isEmptyDraft } from "../store/drafts.ts";
import { strings } from "../strings/strings.ts";

const text = strings.unsent;

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
      <div className="mx-auto mt-[12vh] flex flex-col items-center gap-3 text-center">
        <h1 className="text-large font-strong">{text.deletedTitle}</h1>
        <p className="text-dim">{text.deletedText}</p>
        <Link href="/" className="button">
          {text.backToOverview}
        </Link>
      </div>
      {(messages.length > 0 || written) && (
        <section className="mx-auto flex w-full max-w-3xl flex-col gap-2">
          <h2 className="font-semibold">{text.deletedUnsent}</h2>
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
