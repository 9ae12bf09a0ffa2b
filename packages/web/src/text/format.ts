import { strings } from "../strings/strings.ts";

/** Formats numbers for people. */

const text = strings.formats;

const numberFormat = new Intl.NumberFormat("en-US");

export function formatNumber(value: number): string {
  return numberFormat.format(value);
}

/** `1 line`, `2 lines`. */
export function formatCount(value: number, unit: keyof typeof strings.units): string {
  const { one, many } = strings.units[unit];
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

/** Three digits at most, such as `847`, `12.7k`, `1.2M`. */
export function formatTokens(value: number): string {
  if (value < 1000) return String(value);
  if (value < 999_950) return `${(value / 1000).toFixed(value < 99_950 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

export function formatBytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 999_500) return `${(value / 1000).toFixed(value < 9950 ? 1 : 0)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** Two decimals from one cent on; below, two significant digits. */
export function formatDollars(value: number): string {
  if (value === 0) return "$0";
  if (value >= 0.01) return `$${value.toFixed(2)}`;
  return value >= 0.0001 ? `$${value.toPrecision(2)}` : "< $0.0001";
}

/** `117 ms`, `4.2 s`, `1 m 5 s`, `2 h 3 m`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} m ${whole % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} m`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The duration of something that is still running, in whole seconds. */
export function formatElapsed(ms: number): string {
  if (!Number.isFinite(ms) || ms < 1000) return "0 s";
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : formatDuration(Math.floor(ms / 1000) * 1000);
}

function padTwo(value: number): string {
  return String(value).padStart(2, "0");
}

/** A date and time in the reader's time zone. */
export function formatDateTime(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** A date in the reader's time zone. */
export function formatDate(ms: number): string {
  return new Date(ms).toLocaleDateString(undefined, { dateStyle: "medium" });
}

const CLOCK_TOLERANCE_MS = 5000;

/**
 * Such as `just now`, `5 min ago`, `3 h ago`, `in 5 min`. Small differences between clocks do not count as
 * the future.
 */
export function formatRelativeTime(ms: number, now: number): string {
  const away = Math.abs(now - ms);
  if (away < 45_000) return ms - now > CLOCK_TOLERANCE_MS ? text.soon : text.justNow;
  const distance =
    away < 3_600_000
      ? `${Math.max(1, Math.round(away / 60_000))} min`
      : away < 86_400_000
        ? `${Math.round(away / 3_600_000)} h`
        : `${Math.round(away / 86_400_000)} d`;
  return now < ms ? text.within(distance) : text.ago(distance);
}

/** How long work took, in whole seconds: `24 s`, `1 m 43 s`, `2 h 3 m`. */
export function formatWorkDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} m`;
}

/** Time that is left, as a clock shows it: `4:59`, `1:02:03`. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const tail = padTwo(seconds % 60);
  if (minutes < 60) return `${minutes}:${tail}`;
  return `${Math.floor(minutes / 60)}:${padTwo(minutes % 60)}:${tail}`;
}
