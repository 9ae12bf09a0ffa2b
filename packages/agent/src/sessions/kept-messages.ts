import { isObject } from "@signalbox/protocol/wire";
import type { StoredMessage } from "../agent.ts";

/**
 * A branch that begins with a compaction, with what that kept word for word: those messages stand
 * before its boundary and belong after the summary.
 */
export function withKept(
  branch: readonly StoredMessage[],
  messages: ReadonlyMap<string, StoredMessage>,
): StoredMessage[] {
  const { anchor, uuids } = keptBy(branch[0]);
  const known = new Set(branch.map(({ uuid }) => uuid));
  const kept = uuids.filter((uuid) => !known.has(uuid)).flatMap((uuid) => messages.get(uuid) ?? []);
  return branch.flatMap((message) =>
    message.uuid === anchor ? [message, ...kept.map(withoutUsage)] : [message],
  );
}

function keptBy(boundary: StoredMessage | undefined): { anchor?: unknown; uuids: string[] } {
  const facts = boundary && asWritten(boundary)["compactMetadata"];
  const kept = isObject(facts) ? facts["preservedMessages"] : undefined;
  if (!isObject(kept) || !Array.isArray(kept["uuids"])) return { uuids: [] };
  const uuids = kept["uuids"].filter((uuid) => typeof uuid === "string");
  return { anchor: kept["anchorUuid"], uuids };
}

/** A boundary as it stands in transcripts: hosts are told the same in another spelling. */
export function asWritten(boundary: StoredMessage): StoredMessage {
  const { compact_metadata: told, logical_parent_uuid: _, ...rest } = boundary;
  return told === undefined ? boundary : { ...rest, compactMetadata: inCamelCase(told) };
}

function inCamelCase(value: unknown): unknown {
  if (!isObject(value)) return value;
  const camel = (name: string) =>
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camel(name), inCamelCase(inner)]),
  );
}

/** What the window held before the compaction says nothing about what it holds now. */
function withoutUsage(message: StoredMessage): StoredMessage {
  if (!message.message) return message;
  const { usage: _, ...said } = message.message;
  return { ...message, message: said };
}
