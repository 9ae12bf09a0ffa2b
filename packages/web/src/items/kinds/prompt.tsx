import type { ContentPart } from "@signalbox/timeline";
import {
  type Body,
  isCut,
  getLength,
  type MaybeCut,
  type DisplayItemOfKind,
} from "../../text/body.ts";
import { strings } from "../../strings/strings.ts";
import { joinEnds } from "../../text/body.ts";
import { useFold } from "../parts/use-fold.ts";
import { Images, type Picture } from "../parts/image-view.tsx";
import { ContextChip } from "../parts/context-chip.tsx";
import { DocumentView } from "../parts/document-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { PlainProse } from "../parts/prose.tsx";
import { countBase64Bytes } from "../../text/image-source.ts";
import { isBody } from "../../text/body.ts";

const text = strings.conversation;

/** Longer prompts are clamped until they are unfolded. */
const CLAMPED_LINES = 8;
const CLAMPED_CHARACTERS = 700;

/** A message of a person, or of the agent that started this one. */
export function PromptView({ item }: { item: DisplayItemOfKind<"prompt"> }) {
  const { content, context, origin, arrived } = item;
  const parts = typeof content === "string" || isCut(content) ? [] : content;
  const whole = parts.length === 0 && !Array.isArray(content) ? (content as Body) : undefined;
  const images = parts.flatMap(toPictures);
  const documents = parts.filter(({ type }) => type === "document");
  const [isOpen, toggle] = useFold(`${item.id}/prompt`, false);
  const isLong = [whole, ...parts.map((part) => part["text"])].some(
    (body) => isBody(body) && isLongText(body),
  );
  return (
    <div className="prompt" data-arrived={arrived}>
      {origin === "agent" && (
        <p className="mb-1 text-small text-dim">
          {item.parent === undefined ? text.fromAgent : text.fromParent}
        </p>
      )}
      {context && <ContextChip context={context} id={item.id} />}
      <div className={isLong && !isOpen ? "prompt-clamped" : ""}>
        {whole !== undefined && <PlainProse body={whole} />}
        {parts.map((part, at) => (
          <Part key={at} part={part} id={`${item.id}/${at}`} />
        ))}
      </div>
      {isLong && (
        <button
          type="button"
          className="quiet-button mt-1 -ml-1.5"
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {isOpen ? text.showLess : text.showMore}
        </button>
      )}
      {images.length > 0 && (
        <div className="mt-2">
          <Images images={images} />
        </div>
      )}
      {documents.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          {documents.map((part, at) => (
            <DocumentView key={at} part={part} number={at + 1} />
          ))}
        </div>
      )}
      {!arrived && <p className="mt-1 text-small text-dim">{text.notConfirmed}</p>}
    </div>
  );
}

function isLongText(body: Body): boolean {
  return getLength(body) > CLAMPED_CHARACTERS || joinEnds(body).split("\n").length > CLAMPED_LINES;
}

function Part({ part, id }: { part: MaybeCut<ContentPart>; id: string }) {
  if (part.type === "image" || part.type === "document") return null;
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
