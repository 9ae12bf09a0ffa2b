import { useEffect, useEffectEvent, useState } from "react";
import { isCovered } from "./is-covered.ts";

/** Whether files are being dragged. Dragged text is handled by the text fields. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

/** Keeps the browser from opening a dropped file in place of the page. */
export function preventFileNavigation(): void {
  const stay = (event: DragEvent) => hasFiles(event) && event.preventDefault();
  window.addEventListener("dragover", stay);
  window.addEventListener("drop", stay);
}

/**
 * Receives files dropped anywhere on the page unless a dialog is open. Returns whether files are being
 * dragged over it.
 */
export function useFileDrops(take: (files: FileList) => void): boolean {
  const [over, setOver] = useState(false);
  const onDrop = useEffectEvent((event: DragEvent) => {
    setOver(false);
    if (!hasFiles(event) || !event.dataTransfer || isCovered(null)) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
  useEffect(() => {
    const onOver = (event: DragEvent) => setOver(hasFiles(event) && !isCovered(null));
    // Only when leaving the window, not when moving between elements.
    const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => onDrop(event);
    window.addEventListener("dragover", onOver);
    window.addEventListener("dragleave", onLeave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", onOver);
      window.removeEventListener("dragleave", onLeave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return over;
}
