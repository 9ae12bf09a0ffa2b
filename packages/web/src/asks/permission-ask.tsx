import type { AskView } from "@signalbox/api";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { spelled } from "../text/visible.ts";
import { askDraftName } from "../store/use-form-draft.ts";
import { useAppContext } from "../store/app-context.tsx";
import { AllowButton } from "./allow-button.tsx";
import { AnswerButton } from "../guard/answer-button.tsx";
import { allowLabel, listFields } from "./ask-text.ts";
import { Deny, permissionDenyLabels } from "./deny.tsx";
import { scrollToEnds } from "../ui/scroll-box.tsx";
import { PlainFields, useScrollEnds, useFolds } from "./plain-fields.tsx";
import { Remember } from "./remember.tsx";
import { useAnswer } from "./use-answer.ts";
import { isNarrowScreen } from "../browser/screen.ts";

const InputEditor = lazy(() => import("./input-editor.tsx"));

/** A tool call that needs a permission: its whole input as plain text, and the ways to answer. */
export function PermissionAsk({ ask, compact }: { ask: AskView; compact: boolean }) {
  const { busy, answer } = useAnswer(ask);
  const { drafts } = useAppContext();
  // An edit that was begun earlier is continued.
  const [begun] = useState(
    () => !compact && drafts.get(askDraftName(ask.id, "fields")).text !== "",
  );
  const [opened, setEditing] = useState<boolean>();
  const editing = opened ?? begun;
  const [more, setMore] = useState(() => !compact && !isNarrowScreen());
  const [remember, setRemember] = useState<readonly number[]>([]);
  const fields = useMemo(() => listFields(ask), [ask]);
  const folds = useFolds(fields, compact);
  const ends = useScrollEnds(fields, folds);
  const body = useRef<HTMLDivElement>(null);
  const remembered = remember.length > 0 ? { remember: [...remember] } : {};
  // Permissions that are granted along with the call are shown wherever the call can be allowed.
  const lasting = <Remember ask={ask} chosen={remember} onChange={setRemember} />;
  const also = remember.length > 0 && <span className="shrink-0">and remember</span>;

  if (editing) {
    return (
      <Suspense fallback={<p className="text-small text-dim">Opening the editor…</p>}>
        <InputEditor
          ask={ask}
          busy={busy}
          focus={opened === true}
          lasting={lasting}
          also={also}
          onCancel={() => setEditing(false)}
          onAllow={(input) => answer({ behavior: "allow", input, ...remembered })}
        />
      </Suspense>
    );
  }
  const { verb, thing } = allowLabel(ask);
  return (
    <div ref={body} className="flex flex-col gap-2">
      <PlainFields fields={fields} folds={folds} ends={ends} />
      {more && lasting}
      <div className="flex flex-wrap gap-2">
        <AllowButton
          ask={ask}
          disabled={busy}
          {...(folds.folded.size > 0
            ? { folded: folds.openAll }
            : ends.unseen > 0 && { unseen: () => scrollToEnds(body.current) })}
          onAllow={() => answer({ behavior: "allow", ...remembered })}
        >
          <span className="shrink-0">{verb}</span>
          {thing !== "" && <code className="as-it-runs text-small">{spelled(thing)}</code>}
          {also}
        </AllowButton>
        {more ? (
          <button
            type="button"
            className="button"
            data-role="edit"
            disabled={busy}
            onClick={() => setEditing(true)}
          >
            Edit, then allow…
          </button>
        ) : (
          <>
            <AnswerButton
              of={ask.id}
              role="deny"
              disabled={busy}
              onPress={() => answer({ behavior: "deny" })}
            >
              Deny
            </AnswerButton>
            <button type="button" className="button" onClick={() => setMore(true)}>
              More…
            </button>
          </>
        )}
      </div>
      {more && <Deny ask={ask.id} disabled={busy} labels={permissionDenyLabels} answer={answer} />}
    </div>
  );
}
