import type { Session } from "@signalbox/client";

/** How many items of a to-do list are done, and how many there are. */
export function countTodos(todos: Session["summary"]["todos"]): { done: number; all: number } {
  return { done: todos.filter(({ status }) => status === "completed").length, all: todos.length };
}
