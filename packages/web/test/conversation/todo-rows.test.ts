import { expect, test } from "bun:test";
import type { Item } from "@signalbox/client";
import { foldTodos, sumUpTodos, todosKey } from "../../src/conversation/todo-rows.ts";

const call = (id: string, payload: object, status = "complete") =>
  ({ kind: "tool", id, status, payload }) as unknown as Item;
const create = (id: string, title: string) =>
  call(id, { kind: "create_task", title, output: { id } });
const update = (id: string, todo: string, status: string) =>
  call(id, { kind: "manage_todos", operation: "update", items: [{ id: todo, status }] });
const read = call("read", { kind: "read_file" });

function fold(items: readonly Item[], open = false) {
  const find = (id: string) => items.find((item) => item.id === id);
  return foldTodos(
    items.map(({ id }) => id),
    find,
    () => open,
  );
}

test("changes of the to-do list in a row fold into one row, and one alone stays a row", () => {
  const items = [create("1", "Measure"), create("2", "Write"), read, update("3", "1", "completed")];
  expect(fold(items).rows).toEqual([todosKey("1"), "read", "3"]);
  expect(fold(items, true).rows).toEqual([todosKey("1"), "1", "2", "read", "3"]);
  expect(fold(items).todos.get(todosKey("1"))?.items).toEqual(["1", "2"]);
});

test("a change that failed stays in sight", () => {
  const failed = call("2", { kind: "create_task", title: "Write", error: "no" }, "error");
  expect(fold([create("1", "Measure"), failed]).rows).toEqual(["1", "2"]);
});

test("the row says how many to-dos were added and done, and which one is the last", () => {
  const items = [create("1", "Measure"), create("2", "Write"), update("3", "1", "completed")];
  const describe = (id: string) => (id === "1" ? "Measure" : undefined);
  expect(sumUpTodos(items, describe)).toEqual({ added: 2, done: 1, last: "Measure" });
});
