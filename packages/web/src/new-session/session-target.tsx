import { Folder, GitBranch, Monitor, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { DraftOptionsDialog } from "../session-options/draft-options-dialog.tsx";
import { describeDefaults } from "../session-options/project-defaults.ts";
import { strings } from "../strings/strings.ts";
import { PathText } from "../text/path-text.tsx";
import { abbreviateHome, baseName } from "../text/path.ts";
import { inert, spelled } from "../text/visible.ts";
import { PillMenu } from "../ui/pill-menu.tsx";
import { PillPopover } from "../ui/pill-popover.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import type { NewSessionState } from "./use-new-session.ts";

const text = strings.newSession;

/** Where a new session works: folder, worktree and machine, and behind "More" everything else. */
export function SessionTarget({ draft }: { draft: NewSessionState }) {
  const { folder, runner, recent, problem, machines } = draft;
  const [open, setOpen] = useState<"folder" | "worktree" | "options">();
  const defaults = describeDefaults(draft.defaults);
  const popover = (name: NonNullable<typeof open>) => ({
    isOpen: open === name,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? name : undefined),
  });
  return (
    <div className="flex flex-wrap gap-2">
      <PillPopover
        label={text.folder}
        value={
          folder === "" ? (
            text.chooseFolder
          ) : (
            <PathText path={abbreviateHome(folder)} whole={folder} />
          )
        }
        icon={Folder}
        role="folder-chip"
        {...popover("folder")}
      >
        <FolderPicker
          key={runner}
          runner={runner}
          value={folder}
          recent={recent}
          hidesProblem={problem !== undefined}
          onChange={draft.setFolder}
          onDone={() => setOpen(undefined)}
        />
      </PillPopover>
      <WorktreeChip branch={draft.worktree} onChange={draft.setWorktree} {...popover("worktree")} />
      {machines.length > 1 && (
        <PillMenu
          label={text.machine}
          icon={Monitor}
          value={runner ?? ""}
          options={machines.map(({ id, machine, online }) => ({
            value: id,
            label: inert(machine),
            ...(!online && { hint: text.offline }),
          }))}
          isOutlined
          role="machine-choice"
          onChange={draft.setMachine}
        />
      )}
      <button
        type="button"
        className="button"
        aria-haspopup="dialog"
        data-role="more"
        onClick={() => setOpen("options")}
      >
        <SlidersHorizontal aria-hidden="true" />
        {text.more}
      </button>
      {open === "options" && (
        <DraftOptionsDialog
          options={draft.options}
          project={{ folder, runner, policy: draft.policy ?? draft.defaults.policy }}
          onDone={draft.setOptions}
          onDefaultsSaved={draft.reloadDefaults}
          onClose={() => setOpen(undefined)}
        />
      )}
      {defaults !== "" && (
        <p className="basis-full text-small text-dim" data-role="project-defaults">
          {strings.sessionOptions.usesDefaults(spelled(baseName(folder)), inert(defaults))}
        </p>
      )}
    </div>
  );
}

interface WorktreeProps {
  readonly branch: string;
  readonly onChange: (branch: string) => void;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

function WorktreeChip({ branch, onChange, isOpen, onOpenChange }: WorktreeProps) {
  const isEmpty = branch.trim() === "";
  return (
    <PillPopover
      label={text.worktree}
      value={isEmpty ? text.noWorktree : text.newWorktree(inert(branch.trim()))}
      icon={GitBranch}
      role="worktree-chip"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <label className="flex flex-col gap-1">
        <span className="text-small text-dim">{text.branch}</span>
        <input
          className="field font-mono text-small"
          data-role="worktree"
          spellCheck={false}
          placeholder={text.branchPlaceholder}
          value={branch}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <p className="mt-2 text-small text-dim">
        {isEmpty ? text.noWorktreeHint : text.worktreeHint}
      </p>
    </PillPopover>
  );
}
