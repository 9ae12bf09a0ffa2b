import type { Session, Unsent } from "@signalbox/client";
import type { QueuedPrompt } from "@signalbox/protocol";
import { useUnsent } from "../store/use-hub.ts";
import { useWorld } from "../store/world.tsx";

interface Props {
  readonly session: Session;
  /** Puts a withdrawn message back into the composer. */
  readonly onBack: (text: string) => void;
}

/** Messages that the agent does not have yet: those at the hub, and those that have not reached it. */
export function Queue({ session, onBack }: Props) {
  const unsent = useUnsent().filter((message) => message.session === session.id);
  // One that the hub has told of may still be on its way out of the outbox.
  const at = new Set(session.queue.map(({ id }) => id));
  const away = unsent.filter(({ id }) => !at.has(id));
  if (session.queue.length + away.length === 0) return null;
  return (
    <ol
      className="flex max-h-[24vh] flex-col gap-1 overflow-y-auto"
      aria-label="Messages that wait"
    >
      {session.queue.map((prompt, place) => (
        <Waiting
          key={prompt.id}
          session={session.id}
          prompt={prompt}
          place={place}
          last={session.queue.length - 1}
          onBack={onBack}
        />
      ))}
      {away.map((message) => (
        <NotSent key={message.id} message={message} onBack={onBack} />
      ))}
    </ol>
  );
}

interface WaitingProps {
  readonly session: string;
  readonly prompt: QueuedPrompt;
  readonly place: number;
  readonly last: number;
  readonly onBack: (text: string) => void;
}

function Waiting({ session, prompt, place, last, onBack }: WaitingProps) {
  const { client, toasts } = useWorld();
  const act = (what: string, work: () => Promise<unknown>) => () =>
    void work().catch((failure: unknown) => toasts.fail(what, failure));
  const move = (to: { place?: number; now?: true }) =>
    act("It was not moved", () => client.movePrompt(session, prompt.id, to));
  const withdraw = act("It was not withdrawn", async () => {
    await client.withdrawPrompt(session, prompt.id);
    const whole = prompt.text.length === prompt.characters;
    const back = { words: "Put it back to edit", run: () => onBack(prompt.text) };
    toasts.say("Withdrawn", whole ? back : undefined);
  });
  const waits = prompt.status === "waiting";
  return (
    <li className="queue-row" data-role="queued">
      <span className="shrink-0 text-small text-dim">
        {waits ? (prompt.now ? "goes now" : "after this turn") : "sent, not taken up yet"}
      </span>
      <span className="min-w-0 grow basis-40 truncate max-sm:basis-1/2" title={prompt.text}>
        {prompt.text}
        {prompt.images > 0 && ` (${prompt.images} images)`}
      </span>
      {waits && (
        <>
          <button type="button" className="button button-bare" onClick={move({ now: true })}>
            Send now
          </button>
          {last > 0 && (
            <>
              <button
                type="button"
                className="button button-bare"
                aria-label="Earlier"
                disabled={place === 0}
                onClick={move({ place: place - 1 })}
              >
                ↑
              </button>
              <button
                type="button"
                className="button button-bare"
                aria-label="Later"
                disabled={place === last}
                onClick={move({ place: place + 1 })}
              >
                ↓
              </button>
            </>
          )}
          <button type="button" className="button button-bare" onClick={withdraw}>
            Withdraw
          </button>
        </>
      )}
    </li>
  );
}

function NotSent({ message, onBack }: { message: Unsent; onBack: (text: string) => void }) {
  const { client } = useWorld();
  const { id, prompt, refused } = message;
  const discard = () => {
    void client.outbox.discard(id);
    onBack(prompt.text);
  };
  return (
    <li className="queue-row" data-role="unsent">
      <span className={`text-small ${refused === undefined ? "text-catching-up" : "text-failed"}`}>
        {refused === undefined ? "kept here, not sent yet" : `refused: ${refused}`}
      </span>
      <span className="min-w-0 grow basis-40 truncate max-sm:basis-1/2" title={prompt.text}>
        {prompt.text}
      </span>
      {refused !== undefined && (
        <button
          type="button"
          className="button button-bare"
          onClick={() => void client.outbox.again(id)}
        >
          Send again
        </button>
      )}
      <button type="button" className="button button-bare" onClick={discard}>
        Take back
      </button>
    </li>
  );
}
