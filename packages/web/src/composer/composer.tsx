import type { NewPrompt, Session } from "@signalbox/client";
import { type ClipboardEvent, useRef, useState } from "react";
import { ArrowUp, Plus, Square, X } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { changePermission } from "../session-info/permission-picker.tsx";
import { nextPermission } from "../session-info/permissions.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { focusComposer } from "../navigation/focus.ts";
import { useFileDrops } from "../navigation/file-drops.ts";
import { Progress } from "../ui/progress.tsx";
import { emptyDraft, isEmptyDraft } from "../store/drafts.ts";
import { isBusy } from "@signalbox/client";
import { announceSentMessage } from "../store/sent-message.ts";
import { preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { useDevice, useReachable } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { PHONE_PX } from "../frame/frame-state.ts";
import { useMedia } from "../frame/use-media.ts";
import { ControlsSheet } from "./controls-sheet.tsx";
import { Controls } from "./controls.tsx";
import {
  type Image,
  imageDataUrl,
  readImageOrProblem,
  isTextPaste,
  findFileProblem,
  findMessageProblem,
} from "./images.ts";
import { DraftContext } from "../items/parts/context-chip.tsx";
import { MentionChips } from "./mention-chips.tsx";
import { withMentions } from "../store/mentions.ts";
import { Queue } from "./queue.tsx";
import { MessageField } from "./message-field.tsx";
import { useAbilities } from "../session-info/use-abilities.ts";
import { useDraft } from "../store/use-draft.ts";
import { useInterrupt } from "./use-interrupt.ts";
import { useRecentFocus } from "./use-recent-focus.ts";
import { keyLabel } from "../keys/key-labels.ts";

const text = strings.composer;

/** The form for messages to the agent: text, images, mentions and the queue. */
export function Composer({ session, handle }: { session: Session; handle: SessionHandle }) {
  const app = useAppContext();
  const { client, toasts, drafts } = app;
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
  const { images, mentions, context } = draft;
  /** Whether interrupting the turn sends a queued message, which the button then says. */
  const sendsNext = session.queue.some(({ status }) => status === "waiting");
  const sendLabel = offline ? text.sendWhenOnline : busy ? text.queue : text.send;
  const empty = isEmptyDraft(draft);
  const isPhone = useMedia(`(width < ${PHONE_PX}px)`);

  const send = (now: boolean) => {
    if (empty) return;
    const whole = withMentions(draft.text, mentions);
    const refusal = findMessageProblem(whole, images);
    if (refusal !== undefined) {
      toasts.showError(text.couldNotSend, refusal);
      return;
    }
    const prompt = {
      text: whole,
      ...(images.length > 0 && { images }),
      ...(context && { context }),
      ...(now && { now }),
    };
    change(emptyDraft);
    announceSentMessage(session.id);
    focusComposer(); // The send button is disabled now, so the focus moves to the text field.
    const keep = async () => {
      try {
        await client.outbox.add(session.id, prompt);
      } catch (failure) {
        change(draft);
        toasts.showError(text.couldNotKeep, failure);
      }
    };
    void keep();
  };
  /** Puts a message back into the composer, before what has been typed since. */
  const takeBack = ({ text: back, images: pictures = [], context }: NewPrompt) => {
    const held = drafts.get(session.id);
    const joined = held.text === "" ? back : `${back}\n${held.text}`;
    change({ text: joined, images: [...pictures, ...held.images], ...(context && { context }) });
    focusComposer();
  };
  const held = () => drafts.get(session.id).images; // Read anew each time, since other images may be added meanwhile.
  const together = (image: Image | string) =>
    typeof image === "string"
      ? image
      : (findMessageProblem(draft.text, [...held(), image]) ?? image);
  const addImages = async (chosen: Iterable<File>) => {
    const all = [...chosen];
    for (const [nth, file] of all.entries()) {
      setReading(nth / all.length);
      const read = await readImageOrProblem(file, held().length);
      const image = findFileProblem(file, held().length) ?? together(read);
      if (typeof image === "string") toasts.showError(text.couldNotAttach, image);
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
    return <p className="py-3 text-center text-control text-dim">{text.viewer}</p>;
  }
  return (
    <form
      className="composer"
      aria-label={text.form}
      onSubmit={(event) => {
        event.preventDefault();
        send(false);
      }}
      data-drop={over}
      data-folds={empty && !isActive}
      onPaste={onPaste}
      {...focusHandlers}
    >
      {reading !== undefined && <Progress label={text.addingImages} part={reading} />}
      <Queue session={session} handle={handle} onBack={takeBack} />
      {context && (
        <DraftContext context={context} onRemove={() => change({ context: undefined })} />
      )}
      <MentionChips mentions={mentions} onChange={(left) => change({ mentions: left })} />
      {images.length > 0 && (
        <ul className="flex flex-wrap gap-2 px-3.5 pt-3" aria-label={text.attachedImages}>
          {images.map((image, at) => {
            const name = inert(image.name ?? text.image(at + 1));
            return (
              <li key={at} className="relative">
                <img
                  src={imageDataUrl(image)}
                  alt={name}
                  className="h-16 max-w-32 rounded-control border border-line object-cover"
                />
                <button
                  type="button"
                  className="absolute -top-1.5 -right-1.5 grid size-5 place-items-center rounded-full border border-line-strong bg-raised text-dim"
                  aria-label={text.remove(name)}
                  onClick={() => change({ images: images.filter((_, other) => other !== at) })}
                >
                  <X aria-hidden="true" className="size-3!" />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <div className="composer-row">
        <MessageField
          session={session}
          text={draft.text}
          busy={busy}
          commands={commands}
          enterSends={enterSends}
          said={() => handle.tree.prompts()}
          onText={(next) => change({ text: next })}
          onSend={send}
          onNextPermission={() => void changePermission(app, session, nextPermission(session))}
        />
        <div className="composer-controls">
          <IconButton icon={Plus} label={text.attach} onClick={() => files.current?.click()} />
          <input
            ref={files}
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            hidden
            data-role="composer-files"
            aria-label={text.attach}
            onChange={(event) => {
              void addImages(event.target.files ?? []);
              event.target.value = "";
            }}
          />
          {isPhone ? (
            <ControlsSheet session={session} models={models} />
          ) : (
            <>
              <Controls session={session} models={models} />
              <span className="grow" />
            </>
          )}
          {busy && !empty && (
            <span className="mr-2 truncate text-small text-faint max-lg:hidden">
              {text.hintBusy(keyLabel("queue"), keyLabel("send-now"))}
            </span>
          )}
          <div className="flex shrink-0 items-center gap-1.5">
            {busy && (
              <button
                type="button"
                className={`send-button stop-button ${sendsNext ? "stop-button-wide" : ""}`}
                data-role="interrupt"
                aria-label={label}
                title={`${label} (${keyLabel("interrupt")})`}
                aria-disabled={!ready}
                onClick={interrupt}
              >
                <Square aria-hidden="true" className="size-3.5!" />
                {sendsNext && <span>{text.interruptAndSendShort}</span>}
              </button>
            )}
            {busy && !empty && (
              <button
                type="button"
                className="button button-small"
                data-role="send-now"
                title={`${text.sendNow} (${keyLabel("send-now")})`}
                onClick={() => send(true)}
              >
                {text.sendNow}
              </button>
            )}
            <button
              type="submit"
              className="send-button"
              data-role="send"
              disabled={empty}
              aria-label={sendLabel}
              title={sendLabel}
            >
              <ArrowUp aria-hidden="true" />
            </button>
          </div>
        </div>
      </div>
      {label !== text.interrupt && label !== text.interruptAndSend && (
        <p className="sr-only" role="status">
          {label}
        </p>
      )}
    </form>
  );
}
