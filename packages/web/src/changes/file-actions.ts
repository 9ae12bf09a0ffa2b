import { strings } from "../strings/strings.ts";
import type { ShownFile } from "./changes-store.ts";
import { canRevert } from "./comparison.ts";
import type { FileHunk } from "./parse-patch.ts";

const text = strings.changes.actions;

export type FileAction = "comment" | "stage" | "unstage" | "revert" | "mention" | "copy-path";

/** What can be done in the list of changes. */
export interface FileActions {
  readonly against: string;
  /** Whether this device may change files and send messages. */
  readonly mayDrive: boolean;
  readonly onOpen: (path: string, isOpen: boolean) => void;
  readonly onViewed: (path: string, isViewed: boolean) => void;
  readonly onMoreContext: (path: string) => void;
  readonly onRetry: () => void;
  readonly onAction: (action: FileAction, shown: ShownFile) => void;
  /** A line was chosen for a comment; `extend`: it is the other end of a range. */
  readonly onLine: (
    shown: ShownFile,
    side: "old" | "new",
    line: number,
    how: "press" | "drag" | "extend" | "key",
  ) => void;
  readonly onHunk: (
    action: "stage" | "unstage" | "revert",
    shown: ShownFile,
    hunk: FileHunk,
  ) => void;
}

/** The actions of a file's menu. */
export function listFileActions(
  { file }: ShownFile,
  { against, mayDrive }: Pick<FileActions, "against" | "mayDrive">,
): { readonly key: FileAction; readonly label: string }[] {
  const mayChange = mayDrive && file.unreadableName === undefined;
  const all: { key: FileAction; label: string; isOffered: boolean }[] = [
    { key: "comment", label: text.comment, isOffered: mayDrive },
    { key: "stage", label: text.stageFile, isOffered: mayChange && file.unstaged },
    { key: "unstage", label: text.unstageFile, isOffered: mayChange && file.staged },
    {
      key: "revert",
      label: text.revertFile,
      isOffered: mayChange && canRevert(against) && file.submodule === undefined,
    },
    { key: "mention", label: text.mention, isOffered: mayDrive && file.status !== "deleted" },
    { key: "copy-path", label: text.copyPath, isOffered: true },
  ];
  return all.flatMap(({ key, label, isOffered }) => (isOffered ? [{ key, label }] : []));
}
