import type { AuditEntry } from "@signalbox/api";

/** Names of devices by their ids. */
export type DeviceNames = ReadonlyMap<string, string>;

/** Who did what an entry tells of; undefined: Signalbox itself. */
export function entryActor({ by }: AuditEntry, names: DeviceNames): string | undefined {
  return by === undefined ? undefined : (names.get(by) ?? by);
}

/** What an entry is called: `session-created` is read as `Session created`. */
export function entryTitle({ what }: AuditEntry): string {
  const words = what.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A UUID or a hash, which tells a person nothing. */
const IDENTIFIER = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{40,})$/;

/** What an entry is about, in one line: the tool and its input, or the first facts. */
export function entryDetail({ facts }: AuditEntry): string {
  const tool = asText(facts["tool"]);
  const input = asText(facts["edited"]) ?? asText(facts["input"]) ?? asText(facts["title"]);
  if (tool !== undefined) return input === undefined ? tool : `${tool}: ${input}`;
  const readable = Object.entries(facts).map(([name, value]) => {
    const isNames = Array.isArray(value) && value.every((each) => typeof each === "string");
    return [name, isNames ? value.join(", ") : value] as const;
  });
  // Ids and hashes are shown when the entry is opened.
  const shown = readable.filter(
    ([name, value]) =>
      name !== "byDevice" &&
      ["string", "number", "boolean"].includes(typeof value) &&
      !IDENTIFIER.test(String(value)),
  );
  return shown.map(([name, value]) => `${name}: ${String(value)}`).join(" · ");
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The entries that hold every word of a filter, wherever. */
export function filterEntries(
  entries: readonly AuditEntry[],
  filter: string,
  names: DeviceNames,
  titles: ReadonlyMap<string, string>,
): readonly AuditEntry[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter((entry) => {
    const { what, session, facts, nth } = entry;
    const parts = [
      String(nth),
      what,
      entryTitle(entry),
      entryActor(entry, names) ?? "",
      session === undefined ? "" : `${session} ${titles.get(session) ?? ""}`,
      JSON.stringify(facts),
    ];
    const searched = parts.join("\n").toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
