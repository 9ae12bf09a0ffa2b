import type { ContentPart } from "@signalbox/timeline";
import { type Body, isCut, getLength, type MaybeCut, type DisplayItemOf } from "../../text/body.ts";
import { Images, type Picture } from "../parts/image-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { PlainProse } from "../parts/prose.tsx";
import { countBase64Bytes } from "../../text/image-source.ts";
import { isBody } from "../../text/body.ts";

/** A message of a person, or of the agent that started this one. */
export function PromptView({ item }: { item: DisplayItemOf<"prompt"> }) {
  const { content, origin, arrived } = item;
  const parts = typeof content === "string" || isCut(content) ? [] : content;
  const whole = parts.length === 0 && !Array.isArray(content) ? (content as Body) : undefined;
  const images = parts.flatMap(toPictures);
  return (
    <div className="prompt" data-arrived={arrived}>
      {origin === "agent" && (
        <p className="mb-1 text-small text-dim">
          {item.parent === undefined ? "from the agent itself" : "from the agent above"}
        </p>
      )}
      {whole !== undefined && <PlainProse body={whole} />}
      {parts.map((part, at) => (
        <Part key={at} part={part} id={`${item.id}/${at}`} />
      ))}
      {images.length > 0 && (
        <div className="mt-2">
          <Images images={images} what="picture" />
        </div>
      )}
      {!arrived && <p className="mt-1 text-small text-dim">the agent has not confirmed it yet</p>}
    </div>
  );
}

function Part({ part, id }: { part: MaybeCut<ContentPart>; id: string }) {
  if (part.type === "image") return null;
  const text = part["text"];
  if (part.type === "text" && isBody(text)) return <PlainProse body={text} />;
  return <JsonView value={part} id={id} />;
}

function toPictures(part: MaybeCut<ContentPart>): Picture[] {
  if (part.type !== "image") return [];
  const source = (part["source"] ?? {}) as { media_type?: unknown; data?: unknown; url?: unknown };
  const data = isBody(source.data) ? source.data : undefined;
  return [
    {
      mediaType: isBody(source.media_type) ? source.media_type : "",
      data,
      url: isBody(source.url) ? source.url : undefined,
      bytes: data === undefined ? 0 : countBase64Bytes(getLength(data)),
    },
  ];
}
