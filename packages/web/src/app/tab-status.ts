import type { LampKind } from "@signalbox/client";
import type { NotificationKind, Preferences } from "../store/preferences.ts";

/**
 * The title of the tab. The number of waiting requests comes first, so that a narrow tab shows it. A number
 * that the hub has not confirmed yet gets a question mark.
 */
export function buildTitle(waiting: number, place: string, isConfirmed = true): string {
  const name = place === "" ? "Signalbox" : `${place} · Signalbox`;
  return waiting > 0 ? `(${waiting}${isConfirmed ? "" : "?"}) ${name}` : name;
}

const colors: Readonly<Record<LampKind, string>> = {
  working: "#16803c",
  waiting: "#f2ae3d",
  idle: "#eceef1",
  parked: "#9aa1ac",
  failed: "#e5484d",
  "catching-up": "#7cabff",
};

/** The shapes of the `Lamp` component at the size of a tab icon. */
const shapes: Readonly<Record<LampKind, (color: string) => string>> = {
  working: (color) => `<circle cx="16" cy="16" r="13" fill="${color}"/>`,
  waiting: (color) => `<path d="M16 0 32 16 16 32 0 16z" fill="${color}"/>`,
  idle: (color) => `<circle cx="16" cy="16" r="12" fill="${color}" stroke="#5c636e"/>`,
  parked: (color) =>
    `<circle cx="16" cy="16" r="11" fill="none" stroke="${color}" stroke-width="4"/>`,
  failed: (color) => `<path d="M4 4h24v24H4z" fill="${color}"/>`,
  "catching-up": (color) =>
    `<circle cx="16" cy="16" r="11" fill="none" stroke="${color}" stroke-width="6" stroke-dasharray="16 6"/>`,
};

/** A tab icon with the lamp of the most urgent session and the number of waiting requests. */
export function buildIcon(lamp: LampKind, waiting: number): string {
  const count =
    waiting > 0
      ? `<text x="16" y="22" font-family="sans-serif" font-size="17" font-weight="700" text-anchor="middle" fill="#131519">${waiting > 9 ? "9+" : waiting}</text>`
      : "";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes[lamp](colors[lamp])}${count}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/**
 * The entries that are new since the last call. The first call returns none: what waited when the page opened
 * is visible anyway.
 */
export function findNew<T extends { readonly id: string }>(
  before: ReadonlySet<string> | undefined,
  now: readonly T[],
): readonly T[] {
  return before ? now.filter(({ id }) => !before.has(id)) : [];
}

/**
 * What has happened to a session, from its lamp before and now. A session that was not known before, as when
 * the page opens, has neither finished nor failed.
 */
export function findTurnEnd(
  before: LampKind | undefined,
  now: LampKind,
): "finished" | "failed" | undefined {
  if (before !== "working" && before !== "waiting") return undefined;
  if (now === "failed") return "failed";
  return before === "working" && now === "idle" ? "finished" : undefined;
}

/** Whether a notification of this kind is wanted for a project. */
export function isNotified(
  wanted: Pick<Preferences, "notify" | "notifyAbout" | "mutedProjects">,
  kind: NotificationKind,
  folder: string | undefined,
): boolean {
  const { notify, notifyAbout, mutedProjects } = wanted;
  return notify && notifyAbout[kind] && !(folder !== undefined && mutedProjects.includes(folder));
}
