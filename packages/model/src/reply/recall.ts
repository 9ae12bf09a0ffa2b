import type { ScriptStep } from "../script/types.ts";

const placeholder = /\{\{seen ([^]+?)\}\}/g;

/** Fills `{{seen PATTERN}}` with what the pattern finds in the latest text that has it. */
export function recall(step: ScriptStep, seen: readonly string[]): ScriptStep {
  if (step.do === "say") return { ...step, text: fill(step.text, seen) };
  if (step.do === "tool") return { ...step, input: fillAll(step.input, seen) };
  return step;
}

function fillAll(value: unknown, seen: readonly string[]): unknown {
  if (typeof value === "string") return fill(value, seen);
  if (Array.isArray(value)) return value.map((item) => fillAll(item, seen));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, fillAll(v, seen)]));
}

/** A placeholder that finds nothing, or is no pattern, stays as it is, for the reader to see. */
function fill(text: string, seen: readonly string[]): string {
  return text.replace(placeholder, (whole, pattern: string) => {
    const expression = compile(pattern);
    const found = seen.map((text) => expression?.exec(text)).findLast(Boolean);
    return found ? (found[1] ?? found[0]) : whole;
  });
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
