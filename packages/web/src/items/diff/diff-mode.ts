import { useSyncExternalStore } from "react";

type DiffMode = "unified" | "split";

const KEY = "signalbox.diff";
const listeners = new Set<() => void>();

function read(): DiffMode {
  try {
    return localStorage.getItem(KEY) === "split" ? "split" : "unified";
  } catch {
    return "unified"; // storage may be forbidden
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
    // then it holds until the page is left
  }
  notifyListeners();
}

/** How diffs are shown: one choice for all of them, kept by this browser. */
export function useDiffMode(): DiffMode {
  return useSyncExternalStore(subscribe, current, () => "unified");
}
