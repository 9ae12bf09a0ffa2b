import type { Session } from "@signalbox/client";
import { isBusy } from "@signalbox/client";
import { ArrowUp, Square } from "lucide-react";
import { keyLabel } from "../keys/key-labels.ts";
import { useReachable } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { useInterrupt } from "./use-interrupt.ts";

const text = strings.composer;

interface Props {
  readonly session: Session;
  /** Whether there is nothing to send. */
  readonly isEmpty: boolean;
  readonly onSendNow: () => void;
}

/** The buttons that interrupt the turn and send the message. */
export function SendButtons({ session, isEmpty, onSendNow }: Props) {
  const { interrupt, label, ready } = useInterrupt(session);
  const offline = !useReachable();
  const busy = isBusy(session);
  /** Whether interrupting the turn sends a queued message, which the button then says. */
  const sendsNext = session.queue.some(({ status }) => status === "waiting");
  const sendLabel = offline ? text.sendWhenOnline : busy ? text.queue : text.send;
  return (
    <>
      {busy && !isEmpty && (
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
            data-tip={`${label} (${keyLabel("interrupt")})`}
            aria-disabled={!ready}
            onClick={interrupt}
          >
            <Square aria-hidden="true" className="size-3.5!" />
            {sendsNext && <span>{text.interruptAndSendShort}</span>}
          </button>
        )}
        {busy && !isEmpty && (
          <button
            type="button"
            className="button button-small"
            data-role="send-now"
            data-tip={`${text.sendNow} (${keyLabel("send-now")})`}
            onClick={onSendNow}
          >
            {text.sendNow}
          </button>
        )}
        <button
          type="submit"
          className="send-button"
          data-role="send"
          disabled={isEmpty}
          aria-label={sendLabel}
          data-tip={sendLabel}
        >
          <ArrowUp aria-hidden="true" />
        </button>
      </div>
      {label !== text.interrupt && label !== text.interruptAndSend && (
        <p className="sr-only" role="status">
          {label}
        </p>
      )}
    </>
  );
}
