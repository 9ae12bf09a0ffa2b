import type { ToolKind } from "@signalbox/timeline";
import type { ComponentType } from "react";
import { brief } from "../body.ts";
import { JsonView } from "../parts/json-view.tsx";
import { Output } from "../parts/output.tsx";
import { toolViews } from "../tools/table.tsx";
import { ToolCard, type ToolItem, type ToolProps } from "../tools/tool-card.tsx";

/** A call: by its kind, or, while it is being written, what there is of its input. */
export function ToolView({ item }: { item: ToolItem }) {
  const { payload } = item;
  if (payload === undefined) return <BeingWritten item={item} />;
  const View = viewOf(payload.kind);
  return View ? <View item={item} payload={payload} /> : <Unknown item={item} />;
}

function viewOf(kind: string): ComponentType<ToolProps<ToolKind>> | undefined {
  if (!Object.hasOwn(toolViews, kind)) return undefined;
  // The table pairs each kind with the view of that kind, which a union of both cannot say.
  return toolViews[kind as ToolKind] as ComponentType<ToolProps<ToolKind>>;
}

function BeingWritten({ item }: { item: ToolItem }) {
  const text = item.inputText ?? "";
  return (
    <ToolCard item={item} open>
      {text !== "" && (
        <Output body={text} id={item.id} head={0} tail={6} label="its input so far" />
      )}
    </ToolCard>
  );
}

/** A kind of a newer timeline. */
function Unknown({ item }: { item: ToolItem }) {
  return (
    <ToolCard item={item} title={brief(item.title)}>
      <JsonView value={item.payload} id={item.id} />
    </ToolCard>
  );
}
