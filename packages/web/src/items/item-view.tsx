import type { Item } from "@signalbox/timeline";
import { type ComponentType, memo } from "react";
import type { ShownItem, ShownItemOf } from "../text/body.ts";
import { ItemBoundary } from "./item-boundary.tsx";
import { AskView } from "./kinds/ask.tsx";
import {
  BlockView,
  CompactionView,
  HookView,
  OpaqueView,
  TaskView,
  UnknownView,
} from "./kinds/asides.tsx";
import { NoticeView } from "./kinds/notice.tsx";
import { PromptView } from "./kinds/prompt.tsx";
import { TextView } from "./kinds/text.tsx";
import { ThinkingView } from "./kinds/thinking.tsx";
import { ToolView } from "./kinds/tool.tsx";
import { TurnEndView } from "./kinds/turn-end.tsx";

/** Every kind of item and its view. */
const views: { readonly [Kind in Item["kind"]]: ComponentType<{ item: ShownItemOf<Kind> }> } = {
  prompt: PromptView,
  text: TextView,
  thinking: ThinkingView,
  tool: ToolView,
  block: BlockView,
  ask: AskView,
  "turn-end": TurnEndView,
  task: TaskView,
  hook: HookView,
  compaction: CompactionView,
  notice: NoticeView,
  opaque: OpaqueView,
};

function viewOf(kind: string): ComponentType<{ item: ShownItem }> | undefined {
  if (!Object.hasOwn(views, kind)) return undefined;
  // The table pairs each kind with the view of that kind, which a union of both cannot say.
  return views[kind as Item["kind"]] as ComponentType<{ item: ShownItem }>;
}

/** What is seen of an item. It is drawn again only when the item is another object. */
export const ItemView = memo(function ItemView({ item }: { item: ShownItem }) {
  const View = viewOf(item.kind);
  return (
    <article className="item" data-kind={item.kind} data-item={item.id}>
      <ItemBoundary item={item}>
        {View ? <View item={item} /> : <UnknownView item={item} />}
      </ItemBoundary>
    </article>
  );
});
