import { brief, lengthOf } from "../../text/body.ts";
import { Output } from "../parts/output.tsx";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

export function SkillView({ item, payload }: ToolProps<"skill">) {
  const { output } = payload;
  return (
    <ToolCard item={item} title={`/${brief(payload.name)} ${brief(payload.args)}`.trim()}>
      {output !== undefined && lengthOf(output) > 0 && (
        <Output body={output} id={item.id} label="what it said" />
      )}
    </ToolCard>
  );
}
