import type { CutBody } from "@signalbox/api";
import type { Item } from "@signalbox/client";
import { type Body, type DisplayItem, isBody, isCut, joinEnds } from "../text/body.ts";

/** Returns a long text of which the page has only the ends, if it was fetched. */
type FindWhole = (hash: string) => string | undefined;

/** The texts of an item in which a person may look for something. */
function searchableText(item: DisplayItem, findWhole: FindWhole): string {
  return collectBodies(item)
    .map((body) => (isCut(body) ? findWhole(body.$blob) : undefined) ?? joinEnds(body))
    .join("\n");
}

/** The long texts of an item of which the page has only the ends. */
export function listCutBodies(item: DisplayItem): readonly CutBody[] {
  return collectBodies(item).filter(isCut);
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

function collectBodies(value: unknown, depth = 0): readonly Body[] {
  if (isBody(value)) return [value];
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => collectBodies(one, depth + 1));
  return Object.entries(value).flatMap(([name, field]) =>
    hiddenFields.has(name) ? [] : collectBodies(field, depth + 1),
  );
}

/** The ids of the items that contain a text, whatever its case, in the order of the conversation. */
export function findMatches(
  ids: readonly string[],
  find: (id: string) => Item | undefined,
  query: string,
  findWhole: FindWhole = () => undefined,
): readonly string[] {
  const wanted = query.toLowerCase();
  if (wanted.trim() === "") return [];
  return ids.filter((id) => {
    const item = find(id);
    return item !== undefined && searchableText(item, findWhole).toLowerCase().includes(wanted);
  });
}
