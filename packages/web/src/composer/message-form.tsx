import type { ReactNode } from "react";
import { PHONE_PX } from "../frame/frame-state.ts";
import { useMedia } from "../frame/use-media.ts";
import { DraftContext } from "../items/parts/context-chip.tsx";
import { isEmptyDraft } from "../store/drafts.ts";
import { useDraft } from "../store/use-draft.ts";
import { strings } from "../strings/strings.ts";
import { Progress } from "../ui/progress.tsx";
import { AttachButton } from "./attach-button.tsx";
import { AttachmentList } from "./attachment-list.tsx";
import { ControlsSheet } from "./controls-sheet.tsx";
import { DraftNotes } from "./draft-notes.tsx";
import { MentionChips } from "./mention-chips.tsx";
import { MessageField, type MessageFieldProps } from "./message-field.tsx";
import { useAttachments } from "./use-attachments.ts";
import { useRecentFocus } from "./use-recent-focus.ts";

interface Props extends Omit<MessageFieldProps, "text" | "onText"> {
  /** The name of the draft that the form edits. */
  readonly draftName: string;
  readonly formLabel: string;
  /** The placeholder where there is little room. */
  readonly placeholderShort: string;
  readonly onSubmit: () => void;
  /** What is shown above the attachments, such as the queue. */
  readonly above?: ReactNode;
  /** The pickers for model, effort and permission; a sheet on a phone. */
  readonly pickers: ReactNode;
  /** The buttons at the right end. */
  readonly actions: ReactNode;
}

/** The form in which a message is written, for an existing session and for a new one. */
export function MessageForm(props: Props) {
  const { draftName, formLabel, placeholderShort, onSubmit, above, pickers, actions, ...rest } =
    props;
  const [draft, change] = useDraft(draftName);
  const { reading, isDropTarget, add, onPaste } = useAttachments(draftName, true);
  const { isActive, focusHandlers } = useRecentFocus();
  const isPhone = useMedia(`(width < ${PHONE_PX}px)`);
  const field = isPhone ? { ...rest, placeholder: placeholderShort } : rest;
  return (
    <form
      className="composer"
      aria-label={formLabel}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      data-drop={isDropTarget}
      data-folds={isEmptyDraft(draft) && !isActive}
      onPaste={onPaste}
      {...focusHandlers}
    >
      {reading !== undefined && <Progress label={strings.composer.addingFiles} part={reading} />}
      {above}
      <DraftNotes name={draftName} />
      {draft.context && (
        <DraftContext context={draft.context} onRemove={() => change({ context: undefined })} />
      )}
      <MentionChips mentions={draft.mentions} onChange={(mentions) => change({ mentions })} />
      <AttachmentList attachments={draft.images} onChange={(images) => change({ images })} />
      <div className="composer-row">
        <MessageField {...field} text={draft.text} onText={(text) => change({ text })} />
        <div className="composer-controls">
          <AttachButton onFiles={(files) => void add(files)} />
          {isPhone ? (
            <ControlsSheet>{pickers}</ControlsSheet>
          ) : (
            <>
              {pickers}
              <span className="grow" />
            </>
          )}
          {actions}
        </div>
      </div>
    </form>
  );
}
