import type { Draft } from "./draft.ts";

/** The model of the session. Messages that name the same model later report no change. */
export function changeModel(draft: Draft, model: string): void {
  const { state } = draft;
  if (model === state.model) return;
  const known = state.model !== null;
  state.model = model;
  if (!known) return;
  state.mainModel = null;
  draft.emit({ type: "model-changed", model });
}

export function changeMode(draft: Draft, mode: string | undefined): void {
  const { state } = draft;
  if (mode === undefined || mode === state.mode) return;
  const known = state.mode !== null;
  state.mode = mode;
  if (known) draft.emit({ type: "mode-changed", mode });
}
