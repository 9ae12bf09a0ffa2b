import { toShortText, getLength } from "../../text/body.ts";
import { Output } from "../parts/output.tsx";
import { ToolCard, type ToolProps } from "./tool-card.tsx";
import { strings } from "../../strings/strings.ts";

export function SkillView({ item, payload }: ToolProps<"skill">) {
  const { output } = payload;
  return (
    <ToolCard
      item={item}
      title={`/${toShortText(payload.name)} ${toShortText(payload.args)}`.trim()}
    >
      {output !== undefined && getLength(output) > 0 && (
        <Output body={output} id={item.id} label={strings.tools.output} />
      )}
    </ToolCard>
  );
}
