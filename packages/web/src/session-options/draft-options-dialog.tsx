import { strings } from "../strings/strings.ts";
import type { Project } from "./defaults-button.tsx";
import { OptionsDialog } from "./options-dialog.tsx";
import type { OptionsDraft } from "./options-draft.ts";

const text = strings.sessionOptions;

/** The options of a session that does not exist yet. */
export function DraftOptionsDialog(props: {
  readonly options: OptionsDraft;
  readonly project: Project;
  readonly onDone: (options: OptionsDraft) => void;
  readonly onDefaultsSaved: () => void;
  readonly onClose: () => void;
}) {
  const { options, project, onDone, onDefaultsSaved, onClose } = props;
  return (
    <OptionsDialog
      initial={options}
      project={project}
      onDefaultsSaved={onDefaultsSaved}
      onClose={onClose}
      footer={(submit, isBusy) => (
        <button
          type="button"
          className="button button-solid"
          data-role="options-done"
          disabled={isBusy}
          onClick={() =>
            submit(async (draft) => {
              onDone(draft);
              onClose();
            })
          }
        >
          {text.done}
        </button>
      )}
    />
  );
}
