import type { AskView } from "@signalbox/api";
import { type ReactNode, useMemo } from "react";
import { hiddenIn, inert, withoutHidden } from "../text/visible.ts";
import { askDraftName, useFormDraft } from "../store/use-form-draft.ts";
import { useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { AllowButton } from "./allow-button.tsx";
import { fieldLabel, listFields, readInput } from "./ask-text.ts";
import { type InputDraft, createInputDraft, applyDraft } from "./edit-input.ts";
import { PlainFields, useFolds } from "./plain-fields.tsx";

const text = strings.asks;

interface Props {
  readonly ask: AskView;
  readonly busy: boolean;
  /** Whether the first field gets the focus: only if the person has just opened the editor. */
  readonly focus: boolean;
  /** Controls for permissions that are granted along with the call. */
  readonly rememberChoices: ReactNode;
  /** Text on the button that says that permissions are granted as well. */
  readonly allowSuffix: ReactNode;
  readonly onCancel: () => void;
  readonly onAllow: (input: Record<string, unknown>) => void;
}

/**
 * Edits a tool's input before it is allowed: the edited input is what runs. A text field shows only a part
 * and follows control characters, so once something is changed, everything that would run is shown again below
 * it, with hidden characters marked. Nothing can be allowed while part of it is folded (C13).
 */
export default function InputEditor(props: Props) {
  const { ask, busy, focus, rememberChoices, allowSuffix, onCancel, onAllow } = props;
  const input = readInput(ask);
  const [draft, setDraft] = useFormDraft(
    askDraftName(ask.id, "fields"),
    createInputDraft(ask.tool, input),
  );
  const edited = applyDraft(draft, input);
  const names = Object.keys(draft);
  const isCommand = ask.tool === "Bash" && "command" in draft;
  const wouldRun = edited.kind === "changed" ? edited.input : undefined;
  const fields = useMemo(
    () => (wouldRun ? listFields({ tool: ask.tool ?? "", input: wouldRun }) : []),
    [ask.tool, wouldRun],
  );
  const folds = useFolds(fields, false);
  const folder = useSession(ask.session)?.folder;
  return (
    <div
      className="flex flex-col gap-2"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        onCancel();
      }}
    >
      {names.map((name, nth) => (
        <label key={name} className="text-small text-dim">
          {inert(fieldLabel(name))}
          <textarea
            className="as-it-runs field mt-1 font-mono text-small"
            rows={countRows(draft[name] ?? "")}
            dir="ltr"
            spellCheck={false}
            autoFocus={focus && nth === 0}
            data-role="edited-input"
            data-field={name}
            value={draft[name]}
            onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
          />
        </label>
      ))}
      <HiddenCharacters draft={draft} onChange={setDraft} />
      {edited.kind === "wrong" && (
        <p className="text-small text-failed" role="alert">
          {edited.why}
        </p>
      )}
      {wouldRun && (
        <section aria-label={text.preview} className="flex flex-col gap-2" data-role="would-run">
          <h4 className="text-small text-dim">{text.preview}</h4>
          <PlainFields fields={fields} folds={folds} folder={folder} />
        </section>
      )}
      {rememberChoices}
      <div className="ask-buttons">
        <AllowButton
          ask={ask}
          role="allow-edited"
          disabled={busy || edited.kind !== "changed"}
          {...(folds.folded.size > 0 && { onUnfold: folds.openAll })}
          onAllow={() => edited.kind === "changed" && onAllow(edited.input)}
        >
          {isCommand ? text.allowEditedCommand : text.allowEditedInput} {allowSuffix}
        </AllowButton>
        <button
          type="button"
          className="button"
          onClick={() => {
            setDraft(undefined);
            onCancel();
          }}
        >
          {text.discardEdit}
        </button>
      </div>
    </div>
  );
}

/** The height of a text field in rows; longer texts scroll. */
function countRows(text: string): number {
  return Math.min(12, Math.max(text.length > 60 ? 2 : 1, text.split("\n").length));
}

/** The number of hidden characters in the edited fields, with a button that removes them. */
function HiddenCharacters({
  draft,
  onChange,
}: {
  draft: InputDraft;
  onChange: (draft: InputDraft) => void;
}) {
  const count = useMemo(
    () => Object.values(draft).reduce((sum, text) => sum + hiddenIn(text), 0),
    [draft],
  );
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 text-small text-waiting" role="status">
      {text.hiddenCharacters(count)}
      <button
        type="button"
        className="button"
        data-role="without-hidden"
        onClick={() => onChange(removeHiddenFrom(draft))}
      >
        {text.removeHidden}
      </button>
    </p>
  );
}

function removeHiddenFrom(draft: InputDraft): InputDraft {
  return Object.fromEntries(
    Object.entries(draft).map(([name, text]) => [name, withoutHidden(text)]),
  );
}
