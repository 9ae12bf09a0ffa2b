import { settingsStrings } from "../strings/settings-strings.ts";

const text = settingsStrings.permissions;

export const NO_LIMIT = "none";
const offeredMinutes = [1, 5, 15, 30, 60, 240, 480, 1440];

/** The time limits that can be chosen. One that was set elsewhere is among them. */
export function limitOptions(
  current: number | undefined,
): readonly { readonly value: string; readonly label: string }[] {
  const all = new Set([...offeredMinutes, ...(current === undefined ? [] : [current])]);
  const minutes = [...all].toSorted((a, b) => a - b);
  return [
    { value: NO_LIMIT, label: text.noLimit },
    ...minutes.map((each) => ({ value: String(each), label: text.minutes(each) })),
  ];
}

/** The minutes of a chosen option; undefined: no limit. */
export function parseLimit(value: string): number | undefined {
  return value === NO_LIMIT ? undefined : Number(value);
}
