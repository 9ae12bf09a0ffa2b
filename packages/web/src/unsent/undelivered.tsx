import type { UnsentMessage } from "@signalbox/client";
import { type ReactNode, useEffect, useRef } from "react";
import { sourceShown, withMentions } from "../store/mentions.ts";
import { excerpt } from "../text/body.ts";
import { useDraft } from "../store/use-draft.ts";
import { counted } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import type { Carried } from "../navigation/prefilled-prompt.ts";
import { openNewSession } from "../navigation/overlays.ts";
import { Ago } from "../ui/time.tsx";
import { hasOnlyFingers } from "../browser/typing.ts";
import { byHubClock } from "../store/clock.ts";
import { emptyDraft } from "../store/drafts.ts";
import { useMayDrive } from "../store/use-hub.ts";
import { useWorld } from "../store/app-context.tsx";

/** A message whose session is gone. */
export function LeftMessage({ message }: { message: UnsentMessage }) {
  const { client, toasts } = useWorld();
  const { id, session, prompt, at, refused } = message;
  const discard = async () => {
    await client.outbox.discard(id);
    const undo = { words: "Undo", run: () => void client.outbox.add(session, prompt) };
    toasts.say("The message is thrown away", { actions: [undo] });
  };
  return (
    <LeftWords
      said={
        <>
          A message, written <Ago at={byHubClock(at)} />
          {refused !== undefined && `, refused: ${inert(refused)}`}
        </>
      }
      carried={{ id, text: prompt.text, images: prompt.images ?? [] }}
      onMade={() => void client.outbox.discard(id)}
      onDiscard={() => void discard()}
    >
      <p className="max-h-[40vh] overflow-y-auto whitespace-pre-wrap wrap-anywhere">
        {inert(prompt.text)}
      </p>
    </LeftWords>
  );
}

interface DraftProps {
  readonly session: string;
  /** Whether whoever was writing it goes on here. */
  readonly goOn?: boolean;
}

/** What was being written for a session that is gone. It can be gone on with. */
export function LeftDraft({ session, goOn = false }: DraftProps) {
  const { toasts, drafts } = useWorld();
  const [draft, change] = useDraft(session);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const free = document.activeElement === document.body && !hasOnlyFingers();
    const { current } = area;
    // The hands may be in the middle of a sentence: no letter of it becomes a shortcut.
    if (goOn && free) current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, [goOn]);
  const discard = () => {
    change(emptyDraft);
    const undo = { words: "Undo", run: () => drafts.set(session, draft) };
    toasts.say("What you were writing is thrown away", { actions: [undo] });
  };
  const { text, images, mentions } = draft;
  return (
    <LeftWords
      said="What you were writing, not sent"
      carried={{ id: session, text: withMentions(text, mentions), images }}
      onMade={() => drafts.set(session, emptyDraft)}
      onDiscard={discard}
    >
      {mentions.length > 0 && (
        <p className="text-small text-dim">
          about {mentions.map(({ source }) => inert(sourceShown(source))).join(", ")}
        </p>
      )}
      <textarea
        ref={area}
        className="field min-h-18"
        rows={3}
        data-role="left-draft"
        aria-label="What you were writing"
        value={text}
        onChange={(event) => change({ text: event.target.value })}
      />
    </LeftWords>
  );
}

interface LeftProps {
  readonly said: ReactNode;
  readonly carried: Omit<Carried, "onMade">;
  readonly onMade: () => void;
  readonly onDiscard: () => void;
  readonly children: ReactNode;
}

function LeftWords({ said, carried, onMade, onDiscard, children }: LeftProps) {
  const mayDrive = useMayDrive();
  const { text, images } = carried;
  const named = (what: string) => `${what}: ${excerpt(text)}`;
  return (
    <li className="flex flex-col gap-2 rounded-box border border-line p-3" data-role="left">
      <p className="text-small text-dim">
        {said}
        {images.length > 0 && `, with ${counted(images.length, "image")}`}
      </p>
      {children}
      <div className="flex flex-wrap items-center gap-2">
        {mayDrive && (
          <button
            type="button"
            className="button button-go"
            aria-label={named("Start a new session with it")}
            onClick={() => openNewSession({ carried: { ...carried, onMade } })}
          >
            Start a new session with it…
          </button>
        )}
        <CopyButton text={text} what={excerpt(text)} />
        <button
          type="button"
          className="button button-end"
          aria-label={named("Throw away")}
          onClick={onDiscard}
        >
          Throw away
        </button>
      </div>
    </li>
  );
}
