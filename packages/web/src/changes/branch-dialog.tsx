import { useRef, useState } from "react";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { Modal } from "../ui/modal.tsx";
import type { OpenRepository } from "./use-repository.ts";

const text = strings.changes.commit;

interface Props {
  readonly repository: OpenRepository;
  readonly onClose: () => void;
  readonly onChoose: (branch: string, isNew: boolean) => void;
}

/** Chooses the branch to switch to, or names a new one. */
export default function BranchDialog({ repository, onClose, onChoose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState("");
  const wanted = value.trim();
  const others = repository.branches.filter(({ name }) => name !== repository.branch);
  const found = others.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const isKnown = repository.branches.some(({ name }) => name === wanted);
  const choose = (branch: string, isNew: boolean) => {
    onClose();
    onChoose(branch, isNew);
  };
  return (
    <Modal title={text.branchTitle} first={field} onClose={onClose}>
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== "") choose(wanted, !isKnown);
        }}
      >
        <input
          ref={field}
          className="field font-mono"
          aria-label={text.branchField}
          placeholder={text.branchPlaceholder}
          value={value}
          maxLength={255}
          spellCheck={false}
          data-role="branch-name"
          onChange={(event) => setValue(event.target.value)}
        />
        {found.length > 0 && (
          <ul className="-mx-2 flex max-h-64 flex-col overflow-y-auto" aria-label={text.branches}>
            {found.map(({ name, folder }) => (
              <li key={name}>
                <button
                  type="button"
                  className="file-row"
                  disabled={folder !== null}
                  onClick={() => choose(name, false)}
                >
                  <span className="grow truncate font-mono">{inert(name)}</span>
                  {folder !== null && (
                    <span className="shrink-0 text-small text-faint">{text.inWorktree}</span>
                  )}
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
            {wanted !== "" && !isKnown ? text.createBranch : text.switchTo}
          </button>
        </div>
      </form>
    </Modal>
  );
}
