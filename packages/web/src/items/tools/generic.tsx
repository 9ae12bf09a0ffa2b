import { strings } from "../../strings/strings.ts";
import { getLength } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { Images } from "../parts/image-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { JsonOrOutput } from "../parts/json-or-output.tsx";
import { isEmptyJson } from "../../text/format-json.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

/** An unknown tool: its input and result as they are. */
export function GenericView({ item, payload }: ToolProps<"generic">) {
  const { output, input, images = [] } = payload;
  return (
    <ToolCard item={item} open={images.length > 0}>
      <>
        {!isEmptyJson(input) && (
          <Section label={strings.tools.input}>
            <JsonView value={input} id={`${item.id}/input`} />
          </Section>
        )}
        {output !== undefined && getLength(output) > 0 && (
          <Section label={strings.tools.result}>
            <JsonOrOutput body={output} id={item.id} />
          </Section>
        )}
        {images.length > 0 && <Images images={images} />}
      </>
    </ToolCard>
  );
}
