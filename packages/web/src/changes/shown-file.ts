import { signal, useSignal } from "../store/signal.ts";

/** The file whose changes are shown, by session. */
const shown = signal<ReadonlyMap<string, string>>(new Map());

export function useShownFile(session: string): string | undefined {
  return useSignal(shown).get(session);
}

/** Pass undefined to show the list of files again. */
export function showFile(session: string, path: string | undefined): void {
  const next = new Map(shown.get());
  if (path === undefined) next.delete(session);
  else next.set(session, path);
  shown.set(next);
}
