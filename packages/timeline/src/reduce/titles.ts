import type { TimelineEvent } from "../event.ts";
import { toolTitle } from "../tools/index.ts";
import type { Summary } from "./summary.ts";

/** A todo that is changed is told by its words, which the call leaves out and the list has. */
export function getCallTitle(
  { todos }: Summary,
  { name, title, payload }: Extract<TimelineEvent, { type: "tool-called" }>,
): string {
  if (payload.kind !== "manage_todos" || payload.operation === "write") return title;
  const [item] = payload.items;
  const known = item?.id === undefined ? undefined : todos.find(({ id }) => id === item.id);
  if (!item || item.description !== "" || !known) return title;
  return toolTitle(name, { ...payload, items: [{ ...item, description: known.description }] });
}
