import { useSyncExternalStore } from "react";
import { focusComposer } from "../navigation/focus.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";

const text = strings.drafts;

/** What the other devices have of a draft: another text, or files that are attached there. */
export function DraftNotes({ name }: { name: string }) {
  const { drafts, draftSync, toasts } = useAppContext();
  const news = useSyncExternalStore(draftSync.subscribe, () => draftSync.getNews(name));
  const { offer, attachedElsewhere, isTooLong } = news;
  const take = () => {
    const before = draftSync.useOffer(name);
    const undo = { label: text.undo, run: () => drafts.set(name, before) };
    toasts.show(text.replaced, { actions: [undo] });
    focusComposer();
  };
  const keep = () => {
    draftSync.dismissOffer(name);
    focusComposer();
  };
  return (
    <>
      {offer && (
        <div className="queue-row" role="status" data-role="draft-offer">
          <span className="shrink-0 text-small text-dim">
            {text.offer(inert(offer.device.name))}
          </span>
          <span
            className="min-w-0 grow basis-40 truncate max-sm:basis-1/2"
            data-tip={inert(offer.text)}
          >
            {inert(offer.text.trim())}
          </span>
          <button type="button" className="button button-ghost" onClick={take}>
            {text.useOffer}
          </button>
          <button type="button" className="button button-ghost" onClick={keep}>
            {text.keepMine}
          </button>
        </div>
      )}
      {attachedElsewhere && (
        <p className="px-3.5 pt-2 text-small text-dim" data-role="attached-elsewhere">
          {text.attachedElsewhere(attachedElsewhere.count, inert(attachedElsewhere.device))}
        </p>
      )}
      {isTooLong && <p className="px-3.5 pt-2 text-small text-dim">{text.tooLong}</p>}
    </>
  );
}
