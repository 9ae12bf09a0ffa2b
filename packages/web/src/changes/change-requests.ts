import type { Session } from "@signalbox/client";
import type { AppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { baseName } from "../text/path.ts";
import type { ShownFile } from "./changes-store.ts";
import type { FileHunk } from "./parse-patch.ts";

const text = strings.changes.actions;

/** A file, or a hunk of it, as it is shown. */
export interface ShownChange {
  readonly shown: ShownFile;
  /** Undefined: the whole file. */
  readonly hunk?: FileHunk | undefined;
}

function describeChange({ shown: { file, context }, hunk }: ShownChange) {
  return {
    path: file.path,
    ...(file.from !== undefined && { from: file.from }),
    ...(hunk && { hunk: { text: hunk.text, context } }),
  };
}

/** Puts a change into the index, or takes it out of it. */
export async function stageChange(
  action: "stage" | "unstage",
  { id }: Session,
  change: ShownChange,
  { client, toasts }: AppContext,
): Promise<void> {
  try {
    await client.git[action](id, describeChange(change));
  } catch (failure) {
    toasts.showError(action === "stage" ? text.couldNotStage : text.couldNotUnstage, failure);
  }
}

/** Reverts a change, and offers to undo that. */
export async function revertChange(
  { id }: Session,
  change: ShownChange,
  against: string,
  { client, toasts }: AppContext,
  onChanged: () => void,
): Promise<void> {
  const name = baseName(change.shown.file.path);
  const undo = async (handle: string) => {
    try {
      await client.git.undo(id, { undo: handle });
      toasts.show(text.undone(name));
      onChanged();
    } catch (failure) {
      toasts.showError(text.couldNotUndo, failure);
    }
  };
  try {
    const { undo: handle } = await client.git.revert(id, { ...describeChange(change), against });
    toasts.show(change.hunk ? text.hunkReverted(name) : text.fileReverted(name), {
      actions: [{ label: text.undo, run: () => void undo(handle) }],
    });
    onChanged();
  } catch (failure) {
    toasts.showError(text.couldNotRevert, failure);
  }
}
