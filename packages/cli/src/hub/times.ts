const steps = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** A duration as one number with its unit: `12 s`, `4 min`, `3 h`, `2 d`. */
export function formatDuration(ms: number): string {
  for (const [size, unit] of steps) if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  return "now";
}

/** A date and time in the time zone of this machine. */
export function formatTimestamp(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The milliseconds of a duration such as `30m`, `4h`, `2d` or `1w`; undefined: it is none. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,3})([mhdw])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}
