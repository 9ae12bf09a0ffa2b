import { readContextWindows, type Message } from "@signalbox/protocol";
import type { NormalizeState } from "./state.ts";

/**
 * Finds the window of the main model under any of its names; an exact match comes first. A result
 * that only lists other models says nothing about it: those were used by subagents.
 */
export function readContextWindow(state: NormalizeState, result: Message<"result">): number {
  const windows = readContextWindows(result);
  for (const name of listModelNames(state)) {
    const window = windows.get(name) ?? findSameModel(windows, name);
    if (window !== undefined) return window;
  }
  return state.window;
}

/**
 * The name that the model reports omits the size of its window. The requested name may belong to
 * another model.
 */
function listModelNames({ model, mainModel }: NormalizeState): readonly string[] {
  const names = [mainModel, model].filter((name) => name !== null);
  const [answeringModel, requestedModel] = names;
  const same =
    answeringModel !== undefined &&
    requestedModel !== undefined &&
    normalizeName(answeringModel) === normalizeName(requestedModel);
  return same ? [requestedModel, answeringModel] : names;
}

function findSameModel(windows: ReadonlyMap<string, number>, name: string): number | undefined {
  const main = normalizeName(name);
  for (const [model, window] of windows) if (normalizeName(model) === main) return window;
  return undefined;
}

/**
 * Different names of one model: `opus[1m]`, `opus-20250929`, `us.anthropic.opus-20250929-v1:0`,
 * `opus@20250929`.
 */
function normalizeName(model: string): string {
  return model
    .replace(/^.*anthropic\./, "")
    .replace(/\[.*\]$/, "")
    .replace(/-v\d+(?::\d+)?$/, "")
    .replace(/[-@]\d{8}$/, "");
}
