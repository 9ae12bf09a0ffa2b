import { type RefObject, useEffect, useState } from "react";
import { displaySource, type Mention } from "../store/mentions.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { useDevice } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { addMentionToDraft } from "./add-mention-to-draft.ts";
import { mentionSelection } from "./item-mentions.ts";
import { readSelection } from "./selection.ts";
import { strings } from "../strings/strings.ts";

const text = strings.mentions;

interface Props {
  readonly session: string;
  readonly handle: SessionHandle;
  readonly root: RefObject<HTMLElement | null>;
  /** The source of text that is in no item and no file. */
  readonly elsewhere?: string;
  readonly onMention?: () => void;
}
interface MentionPosition {
  readonly mention: Mention;
  readonly left: number;
  readonly top: number;
}

/** A button below selected text that mentions it in the next message. */
export function SelectionMention({ session, handle, root, elsewhere, onMention }: Props) {
  const app = useAppContext();
  const { role } = useDevice();
  const [offer, setOffer] = useState<MentionPosition>();
  const { board } = app;
  useEffect(() => {
    const scroller = root.current;
    if (!scroller || role === "viewer") return undefined;
    const look = () => {
      const found = readSelection(scroller);
      if (!found) return setOffer(undefined);
      const item = found.item === undefined ? undefined : handle.watch.view.item(found.item);
      const folder = board.view.session(session)?.folder;
      const mention = mentionSelection(found.selected, item, folder, elsewhere);
      if (!mention) return setOffer(undefined);
      const { right, bottom } = found.range.getBoundingClientRect();
      const box = scroller.getBoundingClientRect();
      const left = Math.max(8, Math.min(right - box.left, box.width - 104));
      const top = Math.min(Math.max(bottom, box.top) - box.top + 4, box.height - 44);
      return setOffer({ mention, left, top });
    };
    document.addEventListener("selectionchange", look);
    // Scroll events of elements inside do not bubble, so they are captured.
    scroller.addEventListener("scroll", look, { passive: true, capture: true });
    return () => {
      document.removeEventListener("selectionchange", look);
      scroller.removeEventListener("scroll", look, { capture: true });
    };
  }, [root, role, handle, board, session, elsewhere]);
  if (!offer) return null;
  const { mention, left, top } = offer;
  return (
    <button
      type="button"
      className="button absolute z-5 border-dim"
      data-role="mention-selection"
      style={{ left, top }}
      data-tip={text.add(displaySource(mention.source))}
      onPointerDown={(event) => event.preventDefault()} // Keeps the selection until the click.
      onClick={() => {
        document.getSelection()?.removeAllRanges();
        onMention?.();
        addMentionToDraft(app, session, mention);
      }}
    >
      {text.button}
    </button>
  );
}
