import { useLayoutEffect } from "react";
import { PageHeader } from "../frame/page-header.tsx";
import { type NewSessionDefaults, newSessionDefaults } from "../navigation/overlays.ts";
import { useAppContext } from "../store/app-context.tsx";
import { newSessionDraftName, prefilledDraftName } from "../store/draft-names.ts";
import { emptyDraft, isEmptyDraft } from "../store/drafts.ts";
import { useSignal } from "../store/signal.ts";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { FolderCodeNote } from "../trust/folder-note.tsx";
import { Progress } from "../ui/progress.tsx";
import { FirstPromptForm } from "./first-prompt-form.tsx";
import { describeStart } from "./describe-start.ts";
import { ProjectSessions } from "./project-sessions.tsx";
import { SessionTarget } from "./session-target.tsx";
import { useNewSession } from "./use-new-session.ts";

const text = strings.newSession;

/** A new session is a draft: a folder, the ordinary composer, and everything else at its default. */
export default function NewSessionPage() {
  const defaults = useSignal(newSessionDefaults);
  // Opened anew for another folder or another message, the draft starts over.
  const key = [defaults.folder, defaults.runner, defaults.prefill?.id].join("\n");
  return <NewSessionDraft key={key} {...defaults} />;
}

function NewSessionDraft(defaults: NewSessionDefaults) {
  const draftName = usePrefilledDraft(defaults);
  const draft = useNewSession(draftName, defaults);
  const { folder, runner, busy, problem } = draft;
  return (
    <>
      <PageHeader title={text.pageTitle} backTo="/sessions" look="hidden" />
      <div className="page-body">
        <div className="mx-auto flex w-[calc(100%-48px)] max-w-reading flex-col gap-2.5 pt-[18vh] pb-10 max-md:w-[calc(100%-28px)] max-md:pt-6">
          {busy && <Progress label={describeStart(draft.worktree)} />}
          <h2 className="mb-2 text-title font-semibold tracking-tight">{text.title}</h2>
          <SessionTarget draft={draft} />
          {folder !== "" && <FolderCodeNote folder={folder} runner={runner} />}
          <FirstPromptForm draft={draft} draftName={draftName} />
          {problem !== undefined && (
            <p
              className="max-h-32 overflow-y-auto text-control text-failed wrap-anywhere"
              role="alert"
            >
              {inert(problem)}
            </p>
          )}
          {draft.policy === "autonomous" && (
            <p className="text-control text-failed">{text.autonomousWarning}</p>
          )}
          <ProjectSessions folder={folder} runner={runner} sessions={draft.sessions} />
        </div>
      </div>
    </>
  );
}

/** The name of the draft, which first holds the message with which the page was opened, if there is one. */
function usePrefilledDraft({ folder, runner, prefill }: NewSessionDefaults): string {
  const { drafts } = useAppContext();
  const name = prefill ? prefilledDraftName(prefill.id) : newSessionDraftName(folder, runner);
  useLayoutEffect(() => {
    if (!prefill || !isEmptyDraft(drafts.get(name))) return;
    const { text, images, context } = prefill;
    drafts.set(name, { ...emptyDraft, text, images, context });
  }, [drafts, name, prefill]);
  return name;
}
