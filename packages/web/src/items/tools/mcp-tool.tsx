import { strings } from "../../strings/strings.ts";
import { toShortText, getLength } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { Images } from "../parts/image-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { JsonOrOutput } from "../parts/json-or-output.tsx";
import { isEmptyJson } from "../../text/format-json.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

export function McpToolView({ item, payload }: ToolProps<"mcp_tool">) {
  const { output, input } = payload;
  const images = output?.images ?? [];
  return (
    <ToolCard
      item={item}
      name={toShortText(payload.server, 40)}
      title={toShortText(payload.tool)}
      open={images.length > 0}
      showsError={false}
      meta={<span>{strings.tools.mcp}</span>}
    >
      {!isEmptyJson(input) && (
        <Section label={strings.tools.input}>
          <JsonView value={input} id={`${item.id}/input`} />
        </Section>
      )}
      {output !== undefined && getLength(output.text) > 0 && payload.error === undefined && (
        <Section label={strings.tools.result}>
          <JsonOrOutput body={output.text} id={item.id} />
        </Section>
      )}
      {output?.structured !== undefined && (
        <Section label={strings.tools.structuredResult}>
          <JsonView value={output.structured} id={`${item.id}/structured`} />
        </Section>
      )}
      {images.length > 0 && <Images images={images} />}
    </ToolCard>
  );
}
