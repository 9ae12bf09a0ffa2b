import { type ReactNode, useState } from "react";
import { useMayDecide } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { Modal } from "../ui/modal.tsx";
import { DefaultsButton, type Project } from "./defaults-button.tsx";
import type { OptionsDraft } from "./options-draft.ts";
import { findOptionsProblem } from "./options-draft.ts";
import { OptionsForm } from "./options-form.tsx";
import { useOptionChoices } from "./use-option-choices.ts";

const text = strings.sessionOptions;

/** Checks the options and does something with them; what goes wrong is shown in the dialog. */
export type SubmitOptions = (work: (draft: OptionsDraft) => Promise<void>) => void;

interface Props {
  readonly initial: OptionsDraft;
  readonly project: Project;
  readonly note?: string;
  readonly onDefaultsSaved?: () => void;
  readonly onClose: () => void;
  readonly footer: (submit: SubmitOptions, isBusy: boolean) => ReactNode;
}

/** The options of a session, in a dialog. */
export function OptionsDialog(props: Props) {
  const { initial, project, note, onDefaultsSaved, onClose, footer } = props;
  const [draft, setDraft] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const choices = useOptionChoices(project.runner);
  const mayApprove = useMayDecide();
  const submit: SubmitOptions = (work) => {
    const found = findOptionsProblem(draft);
    setProblem(found);
    if (found !== undefined) return;
    setBusy(true);
    const carryOut = async () => {
      try {
        await work(draft);
      } catch (failure) {
        setProblem(errorMessage(failure));
      } finally {
        setBusy(false);
      }
    };
    void carryOut();
  };
  return (
    <Modal title={text.title} isWide onClose={onClose}>
      <div className="min-h-0 grow overflow-y-auto" data-role="options-form">
        <OptionsForm
          draft={draft}
          choices={choices}
          mayApprove={mayApprove}
          onChange={(next) => {
            setDraft(next);
            setProblem(undefined);
          }}
        />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3">
        <p className="min-w-40 grow text-small text-dim">
          {problem === undefined ? (
            note
          ) : (
            <span className="text-failed wrap-anywhere" role="alert">
              {problem}
            </span>
          )}
        </p>
        <DefaultsButton
          project={project}
          agents={choices.agents}
          isBusy={isBusy}
          submit={submit}
          onSaved={() => onDefaultsSaved?.()}
        />
        {footer(submit, isBusy)}
      </div>
    </Modal>
  );
}
