export {
  beginning,
  type Body,
  brief,
  isCut,
  type Shown,
  type ShownItem,
  type ShownItemOf,
} from "./body.ts";
export { ItemView } from "./item-view.tsx";
export { ItemsProvider, type ItemsWorld, useItems } from "./items-context.tsx";
export { DiffView } from "./diff/diff-view.tsx";
export { Images, type Picture } from "./parts/image-view.tsx";
export { JsonView } from "./parts/json-view.tsx";
export { Output } from "./parts/output.tsx";
export { PlainText } from "./parts/plain-text.tsx";
export { Prose } from "./parts/prose.tsx";
export { useNow } from "./parts/use-now.ts";
export * from "./text/figures.ts";
export { hasHidden } from "./text/visible.ts";
export { TodoList } from "./tools/todos.tsx";
