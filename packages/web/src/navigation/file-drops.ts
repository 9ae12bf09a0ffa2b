import { useEffect, useEffectEvent, useState } from "react";
import { isCovered } from "./is-covered.ts";

/** Whether files are being dragged; words are the business of the field they are dragged to. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

/** A file that is dropped anywhere does not take the place of the page, as browsers would have it. */
export function preventFileNavigation(): void {
  const stay = (event: DragEvent) => hasFiles(event) && event.preventDefault();
  window.addEventListener("dragover", stay);
  window.addEventListener("drop", stay);
}

/** Takes files that are dropped anywhere on the page, unless something lies over it. Gives whether they are over it now. */
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
    // Out of the window, and not only from one element to another.
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
