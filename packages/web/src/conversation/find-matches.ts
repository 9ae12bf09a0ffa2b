import type { Item } from "@signalbox/client";
import { type DisplayItem, isBody, joinEnds } from "../text/body.ts";

/** The texts of an item in which a person may look for something. */
function searchableText(item: DisplayItem): string {
  const texts: string[] = [];
  collectTexts(item, texts, 0);
  return texts.join("\n");
}

/** Fields that a person does not see. */
const hiddenFields: ReadonlySet<string> = new Set([
  "id",
  "kind",
  "parent",
  "uuid",
  "lastUuid",
  "callId",
  "agentId",
  "status",
  "raw",
  "data",
]);
const MAX_DEPTH = 8;

function collectTexts(value: unknown, texts: string[], depth: number): void {
  if (isBody(value)) texts.push(joinEnds(value));
  else if (Array.isArray(value)) for (const one of value) collectTexts(one, texts, depth + 1);
  else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const [name, field] of Object.entries(value)) {
      if (!hiddenFields.has(name)) collectTexts(field, texts, depth + 1);
    }
  }
}

/** The ids of the items that contain a text, whatever its case, in the order of the conversation. */
export function findMatches(
  ids: readonly string[],
  find: (id: string) => Item | undefined,
  query: string,
): readonly string[] {
  const wanted = query.toLowerCase();
  if (wanted.trim() === "") return [];
  return ids.filter((id) => {
    const item = find(id);
    return item !== undefined && searchableText(item).toLowerCase().includes(wanted);
  });
}
