import { useRef, useState } from "react";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { Modal } from "../ui/modal.tsx";

const text = strings.changes.revisionDialog;

interface Props {
  readonly branches: readonly string[];
  readonly onClose: () => void;
  readonly onChoose: (revision: string) => void;
}

/** Asks for a branch or commit to compare with. */
export default function RevisionDialog({ branches, onClose, onChoose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState("");
  const wanted = value.trim();
  const found = branches.filter((branch) => branch.toLowerCase().includes(wanted.toLowerCase()));
  const choose = (revision: string) => {
    if (revision === "") return;
    onClose();
    onChoose(revision);
  };
  return (
    <Modal title={text.title} first={field} onClose={onClose}>
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          choose(wanted);
        }}
      >
        <input
          ref={field}
          className="field font-mono"
          aria-label={text.field}
          placeholder={text.placeholder}
          value={value}
          maxLength={400}
          spellCheck={false}
          data-role="revision"
          onChange={(event) => setValue(event.target.value)}
        />
        {found.length > 0 && (
          <ul className="-mx-2 flex max-h-64 flex-col overflow-y-auto" aria-label={text.branches}>
            {found.map((branch) => (
              <li key={branch}>
                <button type="button" className="file-row font-mono" onClick={() => choose(branch)}>
                  {inert(branch)}
                </button>
              </li>
            ))}
          </ul>
        )}
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={onClose}>
            {strings.parts.cancel}
          </button>
          <button type="submit" className="button button-solid" disabled={wanted === ""}>
            {text.compare}
          </button>
        </div>
      </form>
    </Modal>
  );
}
