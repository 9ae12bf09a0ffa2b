import type { ToolKind } from "@signalbox/timeline";
import { type ComponentType, useMemo } from "react";
import { type Body, brief, isCut } from "../../text/body.ts";
import { JsonView } from "../parts/json-view.tsx";
import { Output } from "../parts/output.tsx";
import { beingWritten } from "./partial-tool-input.ts";
import { Command } from "../tools/shell.tsx";
import { toolViews } from "../tools/tool-views.tsx";
import { ToolCard, type ToolItem, type ToolProps, usePath } from "../tools/tool-card.tsx";

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
  const input = item.inputText ?? "";
  const read = useMemo(() => (isCut(input) ? undefined : beingWritten(input)), [input]);
  const title = usePath(read?.path ?? "");
  if (!read) {
    return (
      <ToolCard item={item} open>
        {input !== "" && <SoFar item={item} body={input} label="its input so far" />}
      </ToolCard>
    );
  }
  const { command = "", content = "", description = "" } = read;
  return (
    <ToolCard
      item={item}
      title={title === "" ? brief(description) : title}
      path={title !== ""}
      open
    >
      {command !== "" && <Command command={command} />}
      {content !== "" && <SoFar item={item} body={content} label="what it will write, so far" />}
    </ToolCard>
  );
}

/** The last lines of what is being written: that is where something happens. */
function SoFar({ item, body, label }: { item: ToolItem; body: Body; label: string }) {
  return <Output body={body} id={item.id} head={0} tail={6} label={label} />;
}

/** A kind of a newer timeline. */
function Unknown({ item }: { item: ToolItem }) {
  return (
    <ToolCard item={item} title={brief(item.title)}>
      <JsonView value={item.payload} id={item.id} />
    </ToolCard>
  );
}
