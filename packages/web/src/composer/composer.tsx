import type { NewPrompt, Session } from "@signalbox/client";
import type { PromptContext } from "@signalbox/api";
import { isBusy } from "@signalbox/client";
import { useCallback } from "react";
import { DraftContext } from "../items/parts/context-chip.tsx";
import { focusComposer, takeComposerFocus } from "../navigation/focus.ts";
import { changePermission } from "../session-info/permission-picker.tsx";
import { currentPermission, nextPermission } from "../session-info/permissions.ts";
import { useAbilities } from "../session-info/use-abilities.ts";
import { useAppContext } from "../store/app-context.tsx";
import { buildPrompt } from "../store/build-prompt.ts";
import { emptyDraft, isEmptyDraft } from "../store/drafts.ts";
import { preferences } from "../store/preferences.ts";
import { announceSentMessage } from "../store/sent-message.ts";
import { useSignal } from "../store/signal.ts";
import { useDraft } from "../store/use-draft.ts";
import { useDevice } from "../store/use-hub.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { Controls } from "./controls.tsx";
import { findMessageProblem } from "./attachments.ts";
import { MessageForm } from "./message-form.tsx";
import { Queue } from "./queue.tsx";
import { SendButtons } from "./send-buttons.tsx";
import { useAttachedContext } from "./use-attached-context.ts";

const text = strings.composer;

interface Props {
  readonly session: Session;
  readonly handle: SessionHandle;
  /** What the surrounding page shows; it goes with each message until the person removes it. */
  readonly context?: PromptContext | undefined;
}

/** The form for messages to the agent: text, images, mentions and the queue. */
export function Composer(props: Props) {
  const { role } = useDevice();
  if (role === "viewer") {
    return <p className="py-3 text-center text-control text-dim">{text.viewer}</p>;
  }
  if (props.session.transcript?.isWrittenElsewhere) {
    return (
      <p className="py-3 text-center text-control text-dim" data-role="written-elsewhere">
        {text.writtenElsewhere}
      </p>
    );
  }
  return <SessionMessageForm {...props} />;
}

function SessionMessageForm({ session, handle, context: given }: Props) {
  const app = useAppContext();
  const { client, toasts, drafts } = app;
  const { id } = session;
  const [draft, change] = useDraft(id);
  const { context, contextFor, remove } = useAttachedContext(given);
  const { commands, models } = useAbilities(session);
  const { enterSends } = useSignal(preferences);
  const busy = isBusy(session);
  const isEmpty = isEmptyDraft(draft);
  const findFiles = useCallback((query: string) => client.findFiles(id, query), [client, id]);

  const send = (now: boolean) => {
    if (isEmpty) return;
    const attached = draft.context ?? contextFor(draft.text);
    const prompt = { ...buildPrompt({ ...draft, context: attached }), ...(now && { now }) };
    const refusal = findMessageProblem(prompt.text, draft.images);
    if (refusal !== undefined) {
      toasts.showError(text.couldNotSend, refusal);
      return;
    }
    change(emptyDraft);
    announceSentMessage(id);
    focusComposer(); // The send button is disabled now, so the focus moves to the text field.
    const keep = async () => {
      try {
        await client.outbox.add(id, prompt);
      } catch (failure) {
        change(draft);
        toasts.showError(text.couldNotKeep, failure);
      }
    };
    void keep();
  };
  /** Puts a message back into the composer, before what has been typed since. */
  const takeBack = ({ text: back, images: pictures = [], context: own }: NewPrompt) => {
    const storedDraft = drafts.get(id);
    const joined = storedDraft.text === "" ? back : `${back}\n${storedDraft.text}`;
    change({
      text: joined,
      images: [...pictures, ...storedDraft.images],
      ...(own && { context: own }),
    });
    focusComposer();
  };
  const onEnter = (isStrong: boolean) => {
    if (isStrong && draft.text === "") return false; // Allows the open request; see the table of keys.
    if (!isStrong && !enterSends) return false;
    send(isStrong && busy);
    return true;
  };
  return (
    <MessageForm
      key={id}
      draftName={id}
      formLabel={text.form}
      label={text.field(inert(session.title))}
      placeholder={busy ? text.placeholderBusy : text.placeholder}
      placeholderShort={busy ? text.placeholderBusy : text.placeholderShort}
      role="composer"
      commands={commands}
      findFiles={findFiles}
      getSentTexts={() => handle.tree.prompts()}
      takeFocus={() => takeComposerFocus(id)}
      onEnter={onEnter}
      onNextPermission={() =>
        void changePermission(app, session, nextPermission(currentPermission(session)))
      }
      onSubmit={() => send(false)}
      above={
        <>
          <Queue session={session} handle={handle} onBack={takeBack} />
          {context && !draft.context && <DraftContext context={context} onRemove={remove} />}
        </>
      }
      pickers={<Controls session={session} models={models} />}
      actions={<SendButtons session={session} isEmpty={isEmpty} onSendNow={() => send(true)} />}
    />
  );
}
