import type { UnsentMessage } from "@signalbox/client";
import { type ReactNode, useEffect, useRef } from "react";
import { displaySource, withMentions } from "../store/mentions.ts";
import { excerpt } from "../text/body.ts";
import { useDraft } from "../store/use-draft.ts";
import { inert } from "../text/visible.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import type { PrefilledPrompt } from "../navigation/prefilled-prompt.ts";
import { openNewSession } from "../navigation/overlays.ts";
import { RelativeTime } from "../ui/time.tsx";
import { isTouchOnly } from "../browser/screen.ts";
import { toHubTime } from "../store/clock.ts";
import { emptyDraft } from "../store/drafts.ts";
import { useMayDrive } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";

const text = strings.unsent;

/** A message whose session was deleted. */
export function UndeliveredMessage({ message }: { message: UnsentMessage }) {
  const { client, toasts } = useAppContext();
  const { id, session, prompt, at, refused } = message;
  const discard = async () => {
    await client.outbox.discard(id);
    const undo = { label: text.undo, run: () => void client.outbox.add(session, prompt) };
    toasts.show(text.discarded, { actions: [undo] });
  };
  return (
    <UndeliveredCard
      content={
        <>
          {text.message} <RelativeTime at={toHubTime(at)} />
          {refused !== undefined && `, ${text.refused(inert(refused))}`}
        </>
      }
      prefill={{
        id,
        text: prompt.text,
        images: prompt.images ?? [],
        ...(prompt.context && { context: prompt.context }),
      }}
      onCreated={() => void client.outbox.discard(id)}
      onDiscard={() => void discard()}
    >
      <p className="max-h-[40vh] overflow-y-auto whitespace-pre-wrap wrap-anywhere">
        {inert(prompt.text)}
      </p>
    </UndeliveredCard>
  );
}

interface DraftProps {
  readonly session: string;
  /** Whether the person was just typing and continues here. */
  readonly goOn?: boolean;
}

/** The draft of a deleted session, which can be edited further. */
export function UndeliveredDraft({ session, goOn = false }: DraftProps) {
  const { toasts, drafts } = useAppContext();
  const [draft, change] = useDraft(session);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const free = document.activeElement === document.body && !isTouchOnly();
    const { current } = area;
    // The person may be in the middle of typing; no letter may become a shortcut.
    if (goOn && free) current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, [goOn]);
  const discard = () => {
    change(emptyDraft);
    const undo = { label: text.undo, run: () => drafts.set(session, draft) };
    toasts.show(text.draftDiscarded, { actions: [undo] });
  };
  const { text: typed, images, mentions, context } = draft;
  return (
    <UndeliveredCard
      content={text.draft}
      prefill={{
        id: session,
        text: withMentions(typed, mentions),
        images,
        ...(context && { context }),
      }}
      onCreated={() => drafts.set(session, emptyDraft)}
      onDiscard={discard}
    >
      {mentions.length > 0 && (
        <p className="text-small text-dim">
          {text.about(mentions.map(({ source }) => inert(displaySource(source))).join(", "))}
        </p>
      )}
      <textarea
        ref={area}
        className="field min-h-18"
        rows={3}
        data-role="left-draft"
        aria-label={text.draftField}
        value={typed}
        onChange={(event) => change({ text: event.target.value })}
      />
    </UndeliveredCard>
  );
}

interface UndeliveredCardProps {
  readonly content: ReactNode;
  readonly prefill: Omit<PrefilledPrompt, "onCreated">;
  readonly onCreated: () => void;
  readonly onDiscard: () => void;
  readonly children: ReactNode;
}

function UndeliveredCard({
  content: cardContent,
  prefill,
  onCreated,
  onDiscard,
  children,
}: UndeliveredCardProps) {
  const mayDrive = useMayDrive();
  const { text: content, images } = prefill;
  return (
    <li className="flex flex-col gap-2 rounded-box border border-line p-3" data-role="left">
      <p className="text-small text-dim">
        {cardContent}
        {images.length > 0 && `, ${text.withImages(images.length)}`}
      </p>
      {children}
      <div className="flex flex-wrap items-center gap-2">
        {mayDrive && (
          <button
            type="button"
            className="button button-solid"
            aria-label={text.startSessionNamed(excerpt(content))}
            onClick={() => openNewSession({ prefill: { ...prefill, onCreated } })}
          >
            {text.startSession}
          </button>
        )}
        <CopyButton text={content} what={excerpt(content)} />
        <button
          type="button"
          className="button button-danger"
          aria-label={text.discardNamed(excerpt(content))}
          onClick={onDiscard}
        >
          {text.discard}
        </button>
      </div>
    </li>
  );
}
