import type { UnsentMessage } from "@signalbox/client";
import { inert } from "../text/visible.ts";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { useSession } from "../store/use-hub.ts";
import { UndeliveredDraft, UndeliveredMessage } from "./undelivered.tsx";
import { countUnsent } from "../store/unsent.ts";
import { useUnsentContent } from "../store/use-unsent.ts";
import { strings } from "../strings/strings.ts";

const text = strings.unsent;

/** All messages and drafts that have not reached the hub. */
export default function UnsentPage() {
  const all = useUnsentContent();
  const { waiting, orphanedMessages: messages, orphanedDrafts: drafts } = all;
  const left = messages.length + drafts.length;
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4 p-3 sm:p-4" data-role="unsent-page">
      <h1 className="text-title font-semibold" tabIndex={-1} data-home="">
        {countUnsent(all) === 0 ? text.allSent : text.title(countUnsent(all))}
      </h1>
      {left > 0 && (
        <section className="flex flex-col gap-2">
          <h2 className="font-semibold">{text.orphaned}</h2>
          <p className="text-dim">{text.orphanedText}</p>
          <ul className="flex flex-col gap-3">
            {messages.map((message) => (
              <UndeliveredMessage key={message.id} message={message} />
            ))}
            {drafts.map((session) => (
              <UndeliveredDraft key={session} session={session} />
            ))}
          </ul>
        </section>
      )}
      {waiting.length > 0 && (
        <section className="flex flex-col gap-2">
          <h2 className="font-semibold">{text.waiting}</h2>
          <ul className="flex flex-col gap-2">
            {waiting.map((message) => (
              <WaitingMessage key={message.id} message={message} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** A message that is waiting to be sent. It can be withdrawn in its session. */
function WaitingMessage({ message }: { message: UnsentMessage }) {
  const session = useSession(message.session);
  const { prompt, refused } = message;
  return (
    <li className="flex flex-col gap-1 rounded-box border border-line p-3" data-role="on-its-way">
      <p className="text-small text-dim">
        {text.to}{" "}
        <Link href={sessionPath(message.session)}>
          {inert(session?.title ?? text.unknownSession)}
        </Link>
        {refused === undefined ? `, ${text.whenOnline}` : `, ${text.refused(inert(refused))}`}
      </p>
      <p className="max-h-[20vh] overflow-y-auto whitespace-pre-wrap wrap-anywhere">
        {inert(prompt.text)}
      </p>
    </li>
  );
}
