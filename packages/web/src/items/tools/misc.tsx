import { toShortText, getLength } from "../../text/body.ts";
import { Facts } from "../parts/facts.tsx";
import { Images } from "../parts/image-view.tsx";
import { Output } from "../parts/output.tsx";
import { ToolCard, type ToolProps } from "./tool-card.tsx";
import { strings } from "../../strings/strings.ts";

export function MiscView({ item, payload }: ToolProps<"misc">) {
  const { output, images = [], details } = payload;
  const hasOutput = output !== undefined && getLength(output) > 0;
  return (
    <ToolCard
      item={item}
      name={toShortText(payload.label, 60)}
      title={toShortText(details[0]?.value)}
      mono={false}
    >
      {(hasOutput || details.length > 0 || images.length > 0) && (
        <>
          {details.length > 0 && (
            <div className="card-section">
              <Facts
                facts={details.map(({ name, value }) => [
                  toShortText(name, 60),
                  toShortText(value, 4000),
                ])}
              />
            </div>
          )}
          {hasOutput && <Output body={output} id={item.id} label={strings.tools.output} />}
          {images.length > 0 && <Images images={images} />}
        </>
      )}
    </ToolCard>
  );
}
