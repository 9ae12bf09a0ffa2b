import { memo, useState } from "react";
import { CodeBlock } from "../code-block.tsx";
import { useDrawing } from "./use-drawing.ts";

/** Longer than anyone draws by hand; laying it out could take minutes. */
const LONGEST = 20_000;

/** A diagram of an agent's, drawn in a frame that can reach nothing; its source is at hand. */
export const Diagram = memo(function Diagram({ code }: { code: string }) {
  return code.length > LONGEST ? (
    <NotDrawn code={code} why="it is longer than 20,000 characters." />
  ) : (
    <Drawing key={code} code={code} />
  );
});

function Drawing({ code }: { code: string }) {
  const { frame, onLoad, height, problem } = useDrawing(code);
  const [source, showSource] = useState(false);
  if (problem !== undefined) return <NotDrawn code={code} why={problem} />;
  return (
    <figure className="my-3" data-diagram={height === undefined ? "coming" : "drawn"}>
      <div className="overflow-hidden rounded-box border border-line">
        <iframe
          ref={frame}
          onLoad={onLoad}
          src="/diagram.html"
          title="Diagram"
          sandbox="allow-scripts"
          loading="lazy"
          className="block w-full"
          style={{ height: height ?? 240 }}
        />
      </div>
      <figcaption>
        <button
          type="button"
          className="quiet-button"
          aria-expanded={source}
          onClick={() => showSource(!source)}
        >
          {source ? "Hide its source" : "Show its source"}
        </button>
      </figcaption>
      {source && <CodeBlock code={code} name="mermaid" />}
    </figure>
  );
}

function NotDrawn({ code, why }: { code: string; why: string }) {
  return (
    <div data-diagram="failed">
      <CodeBlock code={code} name="mermaid" />
      <p className="text-small whitespace-pre-wrap text-dim">This diagram cannot be drawn: {why}</p>
    </div>
  );
}
