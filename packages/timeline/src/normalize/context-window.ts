import { readContextWindows, type Message } from "@signalbox/protocol";
import type { NormalizeState } from "./state.ts";

/**
 * The window of the main model, by whichever of its names; a name that is the same to the letter comes
 * first. A result that tells of other models only tells nothing of it: those are subagents'.
 */
export function readContextWindow(state: NormalizeState, result: Message<"result">): number {
  const windows = readContextWindows(result);
  for (const name of listModelNames(state)) {
    const window = windows.get(name) ?? findSameModel(windows, name);
    if (window !== undefined) return window;
  }
  return state.window;
}

/** What the model calls itself leaves out how wide its window is; what was asked for may be another. */
function listModelNames({ model, mainModel }: NormalizeState): readonly string[] {
  const names = [mainModel, model].filter((name) => name !== null);
  const [spoke, asked] = names;
  const same =
    spoke !== undefined && asked !== undefined && normalizeName(spoke) === normalizeName(asked);
  return same ? [asked, spoke] : names;
}

function findSameModel(windows: ReadonlyMap<string, number>, name: string): number | undefined {
  const main = normalizeName(name);
  for (const [model, window] of windows) if (normalizeName(model) === main) return window;
  return undefined;
}

/** The same model goes by `opus[1m]`, `opus-20250929`, `us.anthropic.opus-20250929-v1:0`, `opus@20250929`. */
function normalizeName(model: string): string {
  return model
    .replace(/^.*anthropic\./, "")
    .replace(/\[.*\]$/, "")
    .replace(/-v\d+(?::\d+)?$/, "")
    .replace(/[-@]\d{8}$/, "");
}
