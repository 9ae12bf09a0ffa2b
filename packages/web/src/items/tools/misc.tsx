import { toShortText, getLength } from "../../text/body.ts";
import { Facts } from "../parts/facts.tsx";
import { Images } from "../parts/image-view.tsx";
import { Output } from "../parts/output.tsx";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

export function MiscView({ item, payload }: ToolProps<"misc">) {
  const { output, images = [], details } = payload;
  const told = output !== undefined && getLength(output) > 0;
  return (
    <ToolCard
      item={item}
      name={toShortText(payload.label, 60)}
      title={toShortText(details[0]?.value)}
      mono={false}
    >
      {(told || details.length > 0 || images.length > 0) && (
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
          {told && <Output body={output} id={item.id} label="what it said" />}
          {images.length > 0 && <Images images={images} />}
        </>
      )}
    </ToolCard>
  );
}
