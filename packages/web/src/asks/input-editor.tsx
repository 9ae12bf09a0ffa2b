import type { AskView } from "@signalbox/protocol";
import { useState } from "react";
import { inputOf } from "./ask-text.ts";
import { draftOf, editedInput } from "./edited.ts";
import { refuseRepeat } from "./use-armed.ts";

interface Props {
  readonly ask: AskView;
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly onAllow: (input: Record<string, unknown>) => void;
}

/** Changes what the agent wants to do before it is allowed: the edited input is what runs. */
export default function InputEditor({ ask, busy, onCancel, onAllow }: Props) {
  const input = inputOf(ask);
  const [draft, setDraft] = useState(() => draftOf(ask.tool, input));
  const edited = editedInput(draft, input);
  const what = draft.kind === "command" ? "command" : "input";
  return (
    <div className="flex flex-col gap-2">
      <label className="text-small text-dim">
        The {what}, to be changed before it runs
        <textarea
          className="field mt-1 font-mono text-small"
          rows={draft.kind === "command" ? 2 : 8}
          spellCheck={false}
          autoFocus
          data-role="edited-input"
          value={draft.text}
          onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        />
      </label>
      {edited.kind === "wrong" && (
        <p className="text-small text-failed" role="alert">
          {edited.why}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="button button-go"
          data-role="allow-edited"
          disabled={busy || edited.kind !== "changed"}
          onKeyDown={refuseRepeat}
          onClick={() => edited.kind === "changed" && onAllow(edited.input)}
        >
          Allow the edited {what}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Back, without changes
        </button>
      </div>
    </div>
  );
}
