import type { TimelineEvent } from "../event.ts";
import { toolTitle } from "../tools/index.ts";
import type { Summary } from "./summary.ts";

/** A change to a todo is titled with the todo's text, which the list has and the call omits. */
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
