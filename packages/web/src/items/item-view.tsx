import type { Item } from "@signalbox/timeline";
import { type ComponentType, memo } from "react";
import type { DisplayItem, DisplayItemOfKind } from "../text/body.ts";
import { ItemBoundary } from "./item-boundary.tsx";
import { AskItemView } from "./kinds/ask.tsx";
import {
  BlockView,
  CompactionView,
  HookView,
  OpaqueView,
  TaskView,
  UnknownView,
} from "./kinds/secondary-items.tsx";
import { NoticeView } from "./kinds/notice.tsx";
import { PromptView } from "./kinds/prompt.tsx";
import { TextView } from "./kinds/text.tsx";
import { ThinkingView } from "./kinds/thinking.tsx";
import { ToolView } from "./kinds/tool.tsx";
import { TurnEndView } from "./kinds/turn-end.tsx";

/** The view of every kind of item. */
const views: { readonly [Kind in Item["kind"]]: ComponentType<{ item: DisplayItemOfKind<Kind> }> } =
  {
    prompt: PromptView,
    text: TextView,
    thinking: ThinkingView,
    tool: ToolView,
    block: BlockView,
    ask: AskItemView,
    "turn-end": TurnEndView,
    task: TaskView,
    hook: HookView,
    compaction: CompactionView,
    notice: NoticeView,
    opaque: OpaqueView,
  };

function findView(kind: string): ComponentType<{ item: DisplayItem }> | undefined {
  if (!Object.hasOwn(views, kind)) return undefined;
  // The table pairs each kind with the view of that kind, which a union of both cannot say.
  return views[kind as Item["kind"]] as ComponentType<{ item: DisplayItem }>;
}

/** Renders an item. It renders again only when it gets another object. */
export const ItemView = memo(function ItemView({ item }: { item: DisplayItem }) {
  const View = findView(item.kind);
  return (
    <article className="item" data-kind={item.kind} data-item={item.id}>
      <ItemBoundary item={item}>
        {View ? <View item={item} /> : <UnknownView item={item} />}
      </ItemBoundary>
    </article>
  );
});
