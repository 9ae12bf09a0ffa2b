import type { AskView } from "@signalbox/api";
import { Pencil } from "lucide-react";
import { lazy, Suspense, useContext, useMemo, useRef, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { useSession } from "../store/use-hub.ts";
import { askDraftName } from "../store/use-form-draft.ts";
import { strings } from "../strings/strings.ts";
import { scrollToEnds } from "../ui/scroll-box.tsx";
import { AllowButton } from "./allow-button.tsx";
import { AlwaysAllowMenu } from "./always-allow-menu.tsx";
import { listFields } from "./ask-text.ts";
import { ComposerContext } from "./composer-context.ts";
import { Deny } from "./deny.tsx";
import { PlainFields, useFolds, useScrollEnds } from "./plain-fields.tsx";
import { Remember } from "./remember.tsx";
import { useAnswer } from "./use-answer.ts";
import { keyLabel } from "../keys/key-labels.ts";

const InputEditor = lazy(() => import("./input-editor.tsx"));
const text = strings.asks;

/** A tool call that needs a permission: its whole input as plain text, and the ways to answer. */
export function PermissionAsk({ ask, compact }: { ask: AskView; compact: boolean }) {
  const { busy, answer } = useAnswer(ask);
  const { drafts } = useAppContext();
  // An edit that was begun earlier is continued.
  const [hasDraft] = useState(
    () => !compact && drafts.get(askDraftName(ask.id, "fields")).text !== "",
  );
  const [isEditorOpen, setEditing] = useState<boolean>();
  const isEditing = isEditorOpen ?? hasDraft;
  const [remember, setRemember] = useState<readonly number[]>([]);
  const folder = useSession(ask.session)?.folder;
  const hasComposer = useContext(ComposerContext);
  const fields = useMemo(() => listFields(ask), [ask]);
  const folds = useFolds(fields, compact);
  const scrollEnds = useScrollEnds(fields, folds);
  const body = useRef<HTMLDivElement>(null);

  if (isEditing) {
    const remembered = remember.length > 0 ? { remember: [...remember] } : {};
    return (
      <Suspense fallback={<p className="text-small text-dim">{text.editing}</p>}>
        <InputEditor
          ask={ask}
          busy={busy}
          focus={isEditorOpen === true}
          rememberChoices={<Remember ask={ask} chosen={remember} onChange={setRemember} />}
          allowSuffix={remember.length > 0 && text.rememberSuffix}
          onCancel={() => setEditing(false)}
          onAllow={(input) => answer({ behavior: "allow", input, ...remembered })}
        />
      </Suspense>
    );
  }
  const isComplete = folds.folded.size === 0 && scrollEnds.unseenCount === 0;
  return (
    <div ref={body} className="flex flex-col gap-2.5">
      <PlainFields fields={fields} folds={folds} ends={scrollEnds} folder={folder} />
      <Deny ask={ask.id} session={ask.session} disabled={busy} compact={compact} answer={answer}>
        <AllowButton
          ask={ask}
          disabled={busy}
          {...(folds.folded.size > 0
            ? { onUnfold: folds.openAll }
            : scrollEnds.unseenCount > 0 && { onScrollToEnd: () => scrollToEnds(body.current) })}
          onAllow={() => answer({ behavior: "allow" })}
        >
          {text.allowOnce}
          {hasComposer && <span className="kbd max-sm:hidden">{keyLabel("allow")}</span>}
        </AllowButton>
        {isComplete && !compact && (
          <AlwaysAllowMenu
            ask={ask}
            disabled={busy}
            onAllow={(suggestion) => answer({ behavior: "allow", remember: [suggestion] })}
          />
        )}
        <button
          type="button"
          className="button"
          data-role="edit"
          disabled={busy}
          onClick={() => setEditing(true)}
        >
          {!compact && <Pencil aria-hidden="true" />}
          <span className={compact ? "" : "ask-edit-label"}>{text.edit}</span>
        </button>
      </Deny>
    </div>
  );
}
