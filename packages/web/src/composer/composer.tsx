import type { Session } from "@signalbox/client";
import { type ClipboardEvent, useRef, useState } from "react";
import { inert } from "../text/visible.ts";
import { focusComposer } from "../navigation/focus.ts";
import { useFileDrops } from "../navigation/file-drops.ts";
import { Progress } from "../ui/progress.tsx";
import { emptyDraft, isEmptyDraft } from "../store/drafts.ts";
import { isBusy } from "@signalbox/client";
import { preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { useDevice, useReachable } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { Controls } from "./controls.tsx";
import {
  type Image,
  imageDataUrl,
  readImageOrProblem,
  isTextPaste,
  findFileProblem,
  findMessageProblem,
} from "./images.ts";
import { MentionChips } from "./mention-chips.tsx";
import { withMentions } from "../store/mentions.ts";
import { Queue } from "./queue.tsx";
import { MessageField } from "./message-field.tsx";
import { useAbilities } from "../session-info/use-abilities.ts";
import { useDraft } from "../store/use-draft.ts";
import { useInterrupt } from "./use-interrupt.ts";
import { useRecentFocus } from "./use-recent-focus.ts";

/** The form for messages to the agent: text, images, mentions and the queue. */
export function Composer({ session, handle }: { session: Session; handle: SessionHandle }) {
  const { client, toasts, drafts } = useAppContext();
  const [draft, change] = useDraft(session.id);
  const { commands, models } = useAbilities(session);
  const { interrupt, label, ready } = useInterrupt(session);
  const { enterSends } = useSignal(preferences);
  const offline = !useReachable();
  const { role } = useDevice();
  const busy = isBusy(session);
  const files = useRef<HTMLInputElement>(null);
  /** The share of the selected images that has been read, from 0 to 1. */
  const [reading, setReading] = useState<number>();
  const { text, images, mentions } = draft;
  const empty = isEmptyDraft(draft);

  const send = (now: boolean) => {
    if (empty) return;
    const said = withMentions(text, mentions);
    const refusal = findMessageProblem(said, images);
    if (refusal !== undefined) {
      toasts.showError("It was not sent", refusal);
      return;
    }
    const prompt = { text: said, ...(images.length > 0 && { images }), ...(now && { now }) };
    change(emptyDraft);
    focusComposer(); // The send button is disabled now, so the focus moves to the text field.
    const keep = async () => {
      try {
        await client.outbox.add(session.id, prompt);
      } catch (failure) {
        change(draft);
        toasts.showError("Your message could not be kept in this browser", failure);
      }
    };
    void keep();
  };
  /** Puts a message back into the composer, before what has been typed since. */
  const takeBack = (back: string, pictures: readonly Image[] = []) => {
    const held = drafts.get(session.id);
    const joined = held.text === "" ? back : `${back}\n${held.text}`;
    change({ text: joined, images: [...pictures, ...held.images] });
    focusComposer();
  };
  const held = () => drafts.get(session.id).images; // Read anew each time, since other images may be added meanwhile.
  const together = (image: Image | string) =>
    typeof image === "string" ? image : (findMessageProblem(text, [...held(), image]) ?? image);
  const addImages = async (chosen: Iterable<File>) => {
    const all = [...chosen];
    for (const [nth, file] of all.entries()) {
      setReading(nth / all.length);
      const read = await readImageOrProblem(file, held().length);
      const image = findFileProblem(file, held().length) ?? together(read);
      if (typeof image === "string") toasts.showError("It was not added", image);
      else change({ images: [...held(), image] });
    }
    setReading(undefined);
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || isTextPaste(event.clipboardData.getData("text/plain"), pasted)) {
      return;
    }
    event.preventDefault();
    void addImages(pasted);
  };
  const over = useFileDrops((dropped) => role !== "viewer" && void addImages(dropped));
  const { isActive, focusHandlers } = useRecentFocus();

  if (role === "viewer") {
    return (
      <div className="composer">
        <p className="text-dim">This device may look, not speak (it is a viewer).</p>
      </div>
    );
  }
  return (
    <form
      className={`composer ${over ? "bg-panel" : ""}`}
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        send(false);
      }}
      data-folds={empty && !isActive}
      onPaste={onPaste}
      {...focusHandlers}
    >
      {reading !== undefined && <Progress label="Adding images" part={reading} />}
      <Queue session={session} handle={handle} onBack={takeBack} />
      <MentionChips mentions={mentions} onChange={(left) => change({ mentions: left })} />
      {images.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Images that go along">
          {images.map((image, at) => (
            <li key={at} className="relative">
              <img
                src={imageDataUrl(image)}
                alt={inert(image.name ?? `Image ${at + 1}`)}
                className="h-16 max-w-32 rounded-box border border-line object-cover"
              />
              <button
                type="button"
                className="absolute -top-1.5 -right-1.5 size-5 rounded-full border border-line bg-ground text-small"
                aria-label={`Take ${inert(image.name ?? "this image")} away`}
                onClick={() => change({ images: images.filter((_, other) => other !== at) })}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <MessageField
        session={session}
        text={text}
        busy={busy}
        commands={commands}
        enterSends={enterSends}
        said={() => handle.tree.prompts()}
        onText={(next) => change({ text: next })}
        onSend={send}
      />
      <div className="composer-buttons items-center justify-end gap-2">
        <div className="flex min-w-0 items-center gap-2 max-sm:w-full">
          <Controls session={session} models={models} />
        </div>
        <div className="mr-auto shrink-0">
          <button type="button" className="button" onClick={() => files.current?.click()}>
            Image
          </button>
          <input
            ref={files}
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            hidden
            aria-label="Images to send along"
            onChange={(event) => {
              void addImages(event.target.files ?? []);
              event.target.value = "";
            }}
          />
        </div>
        {busy && (
          <button
            type="button"
            className="button button-end shrink-0"
            data-role="interrupt"
            title="Stops the turn; what it has done stays (Esc twice)"
            aria-disabled={!ready}
            onClick={interrupt}
          >
            {label} <span className="kbd max-2xl:hidden">Esc Esc</span>
          </button>
        )}
        {busy && (
          <button
            type="button"
            className="button shrink-0"
            data-role="send-now"
            disabled={empty}
            title="Into the running turn (Ctrl+Enter)"
            onClick={() => send(true)}
          >
            <span className="max-sm:hidden">Send now</span>
            <span className="sm:hidden">Now</span>
          </button>
        )}
        <button
          type="submit"
          className="button button-go shrink-0"
          data-role="send"
          disabled={empty}
        >
          <SendLabel offline={offline} busy={busy} />
        </button>
      </div>
    </form>
  );
}

/** The label of the send button, shorter on narrow screens so that all buttons fit on one line. */
function SendLabel({ offline, busy }: { offline: boolean; busy: boolean }) {
  if (!offline && !busy) return "Send";
  const [roomy, tight] = offline
    ? ["Keep, and send when online", "Keep until online"]
    : ["Send after this turn", "After this turn"];
  return (
    <>
      <span className="max-2xl:hidden">{roomy}</span>
      <span className="2xl:hidden">{tight}</span>
    </>
  );
}
