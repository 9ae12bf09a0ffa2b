import type { ToolKind } from "@signalbox/timeline";
import { type ComponentType, useMemo } from "react";
import { type Body, toShortText, isCut } from "../../text/body.ts";
import { strings } from "../../strings/strings.ts";
import { JsonView } from "../parts/json-view.tsx";
import { Output } from "../parts/output.tsx";
import { parsePartialInput } from "./partial-tool-input.ts";
import { Command } from "../tools/shell.tsx";
import { toolViews } from "../tools/tool-views.tsx";
import { ToolCard, type ToolItem, type ToolProps, usePath } from "../tools/tool-card.tsx";

/** A tool call, by its kind; while its input is being written, what is known of it. */
export function ToolView({ item }: { item: ToolItem }) {
  const { payload } = item;
  if (payload === undefined) return <PreparingTool item={item} />;
  const View = findToolView(payload.kind);
  return View ? <View item={item} payload={payload} /> : <UnknownTool item={item} />;
}

function findToolView(kind: string): ComponentType<ToolProps<ToolKind>> | undefined {
  if (!Object.hasOwn(toolViews, kind)) return undefined;
  // The table pairs each kind with the view of that kind, which a union of both cannot say.
  return toolViews[kind as ToolKind] as ComponentType<ToolProps<ToolKind>>;
}

function PreparingTool({ item }: { item: ToolItem }) {
  const input = item.inputText ?? "";
  const read = useMemo(() => (isCut(input) ? undefined : parsePartialInput(input)), [input]);
  const title = usePath(read?.path ?? "");
  if (!read) {
    return (
      <ToolCard item={item} open>
        {input !== "" && (
          <PartialContent item={item} body={input} label={strings.tools.inputSoFar} />
        )}
      </ToolCard>
    );
  }
  const { command = "", content = "", description = "" } = read;
  return (
    <ToolCard
      item={item}
      title={title === "" ? toShortText(description) : title}
      path={title !== ""}
      open
    >
      {command !== "" && <Command command={command} />}
      {content !== "" && (
        <PartialContent item={item} body={content} label={strings.tools.contentSoFar} />
      )}
    </ToolCard>
  );
}

/** The last lines of what is being written. */
function PartialContent({ item, body, label }: { item: ToolItem; body: Body; label: string }) {
  return <Output body={body} id={item.id} head={0} tail={6} label={label} />;
}

/** A tool call of an unknown kind. */
function UnknownTool({ item }: { item: ToolItem }) {
  return (
    <ToolCard item={item} title={toShortText(item.title)}>
      <JsonView value={item.payload} id={item.id} />
    </ToolCard>
  );
}
