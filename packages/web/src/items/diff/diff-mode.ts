import { useSyncExternalStore } from "react";

type DiffMode = "unified" | "split";

const KEY = "signalbox.diff";
const listeners = new Set<() => void>();

function read(): DiffMode {
  try {
    return localStorage.getItem(KEY) === "split" ? "split" : "unified";
  } catch {
    return "unified"; // Storage may be blocked.
  }
}

let mode: DiffMode | undefined;

/** A phone has no room for two columns. */
const narrow = typeof matchMedia === "undefined" ? undefined : matchMedia("(max-width: 640px)");
narrow?.addEventListener("change", notifyListeners);

function current(): DiffMode {
  mode ??= read();
  return narrow?.matches === true ? "unified" : mode;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

export function setDiffMode(next: DiffMode): void {
  mode = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // The choice then lasts until the page is closed.
  }
  notifyListeners();
}

/** Whether diffs have one column or two: one setting for all, stored in this browser. */
export function useDiffMode(): DiffMode {
  return useSyncExternalStore(subscribe, current, () => "unified");
}
