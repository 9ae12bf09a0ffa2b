import { escapeInJson } from "@signalbox/protocol/text";

/** Formats a value as one line of JSON that is safe to print on a terminal. */
export function formatJsonLine(value: unknown): string {
  return escapeInJson(JSON.stringify(value));
}

/** Prints each value as one line of JSON. */
export function printJsonLines(values: readonly unknown[]): void {
  for (const value of values) console.log(formatJsonLine(value));
}
