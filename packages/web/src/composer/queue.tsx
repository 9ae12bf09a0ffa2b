import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import type { Session, UnsentMessage } from "@signalbox/client";
import type { NewPrompt, QueuedPrompt } from "@signalbox/api";
import { inert } from "../text/visible.ts";
import { focusComposer } from "../navigation/focus.ts";
import { uploads } from "../store/upload-fetch.ts";
import { Progress } from "../ui/progress.tsx";
import { useSignal } from "../store/signal.ts";
import { type SessionHandle, useKnownItems } from "../store/use-session-handle.ts";
import { useReachable, useUnsent } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { ContextTitle } from "../items/parts/context-chip.tsx";
import { excerpt } from "../text/body.ts";
import { moveMessage, withdrawMessage } from "./queued-message.ts";
import { strings } from "../strings/strings.ts";

const text = strings.queue;

interface Props {
  readonly session: Session;
  readonly handle: SessionHandle;
  /** Puts a message back into the composer. */
  readonly onBack: (prompt: NewPrompt) => void;
}

/** Messages that the agent has not received yet: queued at the hub, or not sent yet. */
export function Queue({ session, handle, onBack }: Props) {
  const unsent = useUnsent().filter((message) => message.session === session.id);
  // A message that the hub has queued may still be in the outbox for a moment.
  const at = new Set(session.queue.map(({ id }) => id));
  const away = unsent.filter(({ id }) => !at.has(id));
  const waiting = session.queue.filter(({ status }) => status === "waiting");
  // A message that was sent into the running turn is already shown in the conversation.
  const knownItems = useKnownItems(handle, [...at]);
  const queue = session.queue.filter(
    ({ id, status }) => status === "waiting" || !knownItems.has(id),
  );
  if (queue.length + away.length === 0) return null;
  return (
    <ol className="flex max-h-[24vh] flex-col gap-1 overflow-y-auto" aria-label={text.label}>
      {queue.map((prompt) => (
        <QueuedRow
          key={prompt.id}
          session={session.id}
          starting={session.state === "starting"}
          prompt={prompt}
          place={waiting.indexOf(prompt)}
          last={waiting.length - 1}
          onBack={onBack}
        />
      ))}
      {away.map((message) => (
        <UnsentRow key={message.id} message={message} onBack={onBack} />
      ))}
    </ol>
  );
}

interface QueuedProps {
  readonly session: string;
  readonly starting: boolean;
  readonly prompt: QueuedPrompt;
  /** The position among waiting messages; -1 if the agent already has it. */
  readonly place: number;
  readonly last: number;
  readonly onBack: Props["onBack"];
}

function describeWait({ status, now }: QueuedPrompt, starting: boolean): string {
  if (status !== "waiting") return text.sent;
  if (starting) return text.afterStart;
  return now ? text.next : text.afterTurn;
}

function QueuedRow({ session, starting, prompt, place, last, onBack }: QueuedProps) {
  const app = useAppContext();
  const moveTo = (to: number) => () => void moveMessage(app, session, prompt, place, to);
  const [asked, setAsked] = useState(false); // A double click sends one request.
  const once = async (work: () => Promise<unknown>) => {
    if (asked) return;
    setAsked(true);
    await work().finally(() => setAsked(false));
  };
  const sendNow = () => {
    focusComposer();
    return app.client
      .movePrompt(session, prompt.id, { now: true })
      .catch((failure: unknown) => app.toasts.showError(text.couldNotSendNow, failure));
  };
  const waits = prompt.status === "waiting";
  const named = (what: string) => text.named(what, excerpt(prompt.text));
  return (
    <li className="queue-row" data-role="queued">
      <span className="shrink-0 text-small text-dim">{describeWait(prompt, starting)}</span>
      <span
        className="min-w-0 grow basis-40 truncate max-sm:basis-1/2"
        data-tip={inert(prompt.text)}
      >
        {inert(prompt.text)}
        {prompt.images > 0 && ` (${text.images(prompt.images)})`}
      </span>
      {prompt.contextTitle !== undefined && <ContextTitle title={prompt.contextTitle} />}
      {waits && (
        <>
          <button
            type="button"
            className="button button-ghost"
            aria-label={named(text.sendNow)}
            onClick={() => void once(sendNow)}
          >
            {text.sendNow}
          </button>
          {last > 0 && (
            <>
              <button
                type="button"
                className="button button-ghost"
                aria-label={named(text.earlier)}
                aria-disabled={place === 0}
                onClick={place === 0 ? undefined : moveTo(place - 1)}
              >
                <ArrowUp aria-hidden="true" />
              </button>
              <button
                type="button"
                className="button button-ghost"
                aria-label={named(text.later)}
                aria-disabled={place === last}
                onClick={place === last ? undefined : moveTo(place + 1)}
              >
                <ArrowDown aria-hidden="true" />
              </button>
            </>
          )}
          <button
            type="button"
            className="button button-ghost"
            aria-label={named(text.remove)}
            onClick={() => void once(() => withdrawMessage(app, session, prompt, place, onBack))}
          >
            {text.remove}
          </button>
        </>
      )}
    </li>
  );
}

function UnsentRow({ message, onBack }: { message: UnsentMessage; onBack: Props["onBack"] }) {
  const { client, toasts } = useAppContext();
  const [leaving, setLeaving] = useState(false);
  const { id, prompt, refused } = message;
  const named = (what: string) => text.named(what, excerpt(prompt.text));
  const images = prompt.images?.length ?? 0;
  const sending = useReachable() && refused === undefined;
  const uploadProgress = useSignal(uploads).get(id);
  const takeBack = async () => {
    const onArrived = () => toasts.show(named(text.arrived));
    setLeaving(true);
    focusComposer();
    try {
      const stop = uploadProgress !== undefined && uploadProgress < 1; // A request that was not fully sent never arrives.
      if (await client.outbox.takeBack(message, { stop, onArrived })) {
        onBack(prompt);
      } else onArrived();
    } catch (failure) {
      toasts.showError(text.couldNotTakeBack, failure);
    } finally {
      setLeaving(false);
    }
  };
  return (
    <li className="queue-row" data-role="unsent">
      {sending && <SendingImages count={images} part={uploadProgress} />}
      <span className={`text-small ${refused === undefined ? "text-catching-up" : "text-failed"}`}>
        {leaving
          ? text.takingBack
          : refused !== undefined
            ? text.refused(refused)
            : sending
              ? describeSending(uploadProgress)
              : text.waiting}
      </span>
      <span
        className="min-w-0 grow basis-40 truncate max-sm:basis-1/2"
        data-tip={inert(prompt.text)}
      >
        {inert(prompt.text)}
        {images > 0 && ` (${text.images(images)})`}
      </span>
      {prompt.context && <ContextTitle title={prompt.context.title} />}
      {refused !== undefined && (
        <button
          type="button"
          className="button button-ghost"
          aria-label={named(text.sendAgain)}
          onClick={() => void client.outbox.again(id)}
        >
          {text.sendAgain}
        </button>
      )}
      <button
        type="button"
        className="button button-ghost"
        aria-label={named(text.takeBack)}
        aria-disabled={leaving}
        onClick={leaving ? undefined : () => void takeBack()}
      >
        {text.takeBack}
      </button>
    </li>
  );
}

function describeSending(part: number | undefined): string {
  return part === undefined ? text.sending : text.sendingPart(Math.floor(100 * part));
}

/** Upload progress of images. */
function SendingImages({ count, part }: { count: number; part: number | undefined }) {
  if (count === 0) return null;
  return (
    <div className="absolute inset-x-0 top-0">
      <Progress label={text.sendingImages(count)} part={part} />
    </div>
  );
}
