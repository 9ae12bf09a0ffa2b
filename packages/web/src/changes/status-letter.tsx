import type { ChangedFile } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

const text = strings.changes;

const letters: Readonly<Record<ChangedFile["status"], string>> = {
  added: "A",
  modified: "M",
  deleted: "D",
  renamed: "R",
  untracked: "U",
  conflict: "!",
};

/** What happened to a file, as a letter whose word is read out and shown on hover. */
export function StatusLetter({ status }: { status: ChangedFile["status"] }) {
  const word = text.status[status];
  return (
    <span
      className="change-status"
      data-status={status}
      data-tip={word}
      role="img"
      aria-label={word}
    >
      {letters[status]}
    </span>
  );
}
