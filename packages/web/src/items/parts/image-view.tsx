import { lazy, Suspense, useState } from "react";
import { ExternalLink } from "../../markdown/external-link.tsx";
import { type Body, toShortRawText, toShortText, isCut } from "../../text/body.ts";
import { formatBytes } from "../../text/format.ts";
import { toImageDataUrl } from "../../text/image-source.ts";
import { strings } from "../../strings/strings.ts";
import { LoadInView } from "./load-in-view.tsx";
import { ShowWhole } from "./show-more.tsx";
import { useBody } from "./use-body.ts";

const FullSizeImage = lazy(() => import("./full-size-image.tsx"));

export interface Picture {
  readonly mediaType: Body;
  readonly data?: Body | undefined;
  readonly url?: Body | undefined;
  readonly bytes: number;
}

const text = strings.content;

/** Images of a prompt or a result. Images on other servers are links and are never loaded (C17). */
export function Images({ images }: { images: readonly Picture[] }) {
  return (
    <ul className="images">
      {images.map((image, at) => (
        <li key={at}>
          <Image image={image} name={text.image(at + 1)} />
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

/** A thumbnail that opens the image at full size. */
function InlineImage(props: { image: Picture; data: Body; name: string; facts: string }) {
  const { image, data, name, facts } = props;
  const { state, load } = useBody(data);
  const [isOpen, setOpen] = useState(false);
  if (state.kind === "cut") {
    return (
      <div className="thumbnail">
        {state.problem !== undefined ? (
          <ShowWhole state={state} load={load} />
        ) : (
          <LoadInView load={load}>{text.loading}</LoadInView>
        )}
      </div>
    );
  }
  const source = toImageDataUrl(isCut(image.mediaType) ? "" : image.mediaType, state.text);
  if (source === undefined) {
    return <span className="text-dim">{text.imageNotShown(name, facts)}</span>;
  }
  return (
    <>
      <button
        type="button"
        className="block cursor-zoom-in"
        data-tip={facts}
        aria-label={text.openImage(name)}
        onClick={() => setOpen(true)}
      >
        <img src={source} alt={name} className="thumbnail checkered" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <FullSizeImage {...{ source, name, facts }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
