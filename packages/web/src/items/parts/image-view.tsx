import { useState } from "react";
import { ExternalLink } from "../../markdown/external-link.tsx";
import { type Body, toShortRawText, toShortText, isCut } from "../../text/body.ts";
import { formatBytes } from "../../text/format.ts";
import { toImageDataUrl } from "../../text/image-source.ts";
import { ShowWhole } from "./show-more.tsx";
import { useBody } from "./use-body.ts";

export interface Picture {
  readonly mediaType: Body;
  readonly data?: Body | undefined;
  readonly url?: Body | undefined;
  readonly bytes: number;
}

/** Images of a prompt or a result. Images on other servers are links and are never loaded (C17). */
export function Images({ images, what }: { images: readonly Picture[]; what: string }) {
  return (
    <ul className="images">
      {images.map((image, at) => (
        <li key={at}>
          <Image image={image} name={`${what} ${at + 1}`} />
        </li>
      ))}
    </ul>
  );
}

function Image({ image, name }: { image: Picture; name: string }) {
  const facts = `${toShortText(image.mediaType, 40)}, ${formatBytes(image.bytes)}`;
  if (image.data !== undefined)
    return <InlineImage image={image} data={image.data} {...{ name, facts }} />;
  const address = toShortRawText(image.url, 2000);
  return (
    <span className="text-dim">
      <ExternalLink address={address}>{name}</ExternalLink> ({facts})
    </span>
  );
}

function InlineImage(props: { image: Picture; data: Body; name: string; facts: string }) {
  const { image, data, name, facts } = props;
  const { state, load } = useBody(data);
  const [large, setLarge] = useState(false);
  if (state.kind === "cut") {
    return (
      <div className="rounded-box border border-line p-2 text-small text-dim">
        {name} ({facts}) <ShowWhole state={state} load={load} />
      </div>
    );
  }
  const source = toImageDataUrl(isCut(image.mediaType) ? "" : image.mediaType, state.text);
  if (source === undefined) {
    return (
      <span className="text-dim">
        {name}: not shown, because {facts} is no picture that is drawn here
      </span>
    );
  }
  return (
    <button
      type="button"
      className="block cursor-zoom-in"
      title={facts}
      aria-label={large ? `Show ${name} small` : `Show ${name} large`}
      onClick={() => setLarge(!large)}
    >
      <img
        src={source}
        alt={name}
        className={`checkered rounded-box border border-line ${large ? "max-w-full" : "max-h-40 max-w-60"}`}
      />
    </button>
  );
}
