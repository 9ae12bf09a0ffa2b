import { type ClipboardEvent, useState } from "react";
import { useFileDrops } from "../navigation/file-drops.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { findMessageProblem, isTextPaste, readAttachment } from "./attachments.ts";

const text = strings.composer;

interface Attachments {
  /** The share of the selected files that has been read, from 0 to 1. Undefined while none is read. */
  readonly reading: number | undefined;
  /** Whether files are being dragged over the page. */
  readonly isDropTarget: boolean;
  readonly add: (files: Iterable<File>) => Promise<void>;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/** Attaches chosen, pasted and dropped files to the draft with this name. */
export function useAttachments(name: string, mayAttach: boolean): Attachments {
  const { drafts, toasts } = useAppContext();
  const [reading, setReading] = useState<number>();
  const attach = async (file: File) => {
    const read = await readAttachment(file, drafts.get(name).images.length);
    // Read anew after the wait, since the draft may have changed meanwhile.
    const draft = drafts.get(name);
    const problem =
      typeof read === "string" ? read : findMessageProblem(draft.text, [...draft.images, read]);
    if (problem !== undefined) toasts.showError(text.couldNotAttach, problem);
    else if (typeof read !== "string") {
      drafts.set(name, { ...draft, images: [...draft.images, read] });
    }
  };
  const add = async (files: Iterable<File>) => {
    const all = [...files];
    for (const [nth, file] of all.entries()) {
      setReading(nth / all.length);
      await attach(file);
    }
    setReading(undefined);
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || isTextPaste(event.clipboardData.getData("text/plain"), pasted)) {
      return;
    }
    event.preventDefault();
    void add(pasted);
  };
  const isDropTarget = useFileDrops((dropped) => mayAttach && void add(dropped));
  return { reading, isDropTarget, add, onPaste };
}
