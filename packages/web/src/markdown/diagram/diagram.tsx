import { memo, useContext, useState } from "react";
import { CodeBlock } from "../../code/code-block.tsx";
import { estimateHeight } from "./estimate-height.ts";
import { DiagramFrameAddress } from "./frame-address.ts";
import { useDiagramFrame } from "./use-diagram-frame.ts";
import { strings } from "../../strings/strings.ts";

const text = strings.content.diagram;

/** Longer diagrams are not drawn, because their layout could take minutes. */
const MAX_SOURCE_LENGTH = 20_000;

/** A Mermaid diagram of the agent, drawn in a sandboxed frame, with its source at hand. */
export const Diagram = memo(function Diagram({ code }: { code: string }) {
  const address = useContext(DiagramFrameAddress);
  if (address === undefined) return <CodeBlock code={code} name="mermaid" />;
  return code.length > MAX_SOURCE_LENGTH ? (
    <DiagramSource code={code} why={text.tooLong} />
  ) : (
    <Drawing key={code} code={code} address={address} />
  );
});

/** Diagrams that the person has expanded; they stay so when they scroll back into view. */
const expandedDiagrams = new Set<string>();

function Drawing({ code, address }: { code: string; address: string }) {
  const { frame, onLoad, height, problem } = useDiagramFrame(code);
  const [source, showSource] = useState(false);
  const [all, setAll] = useState(expandedDiagrams.has(code));
  const room = estimateHeight(code);
  if (problem !== undefined) return <DiagramSource code={code} why={problem} room={room} />;
  const resize = () => {
    if (all) expandedDiagrams.delete(code);
    else expandedDiagrams.add(code);
    setAll(!all);
  };
  return (
    <figure className="my-3" data-diagram={height === undefined ? "coming" : "drawn"}>
      <div className="overflow-hidden rounded-box border border-line">
        <iframe
          ref={frame}
          onLoad={onLoad}
          src={address}
          title={text.label}
          sandbox="allow-scripts"
          loading="lazy"
          className="block w-full"
          style={{ height: all ? Math.max(room, height ?? 0) : room }}
        />
      </div>
      <figcaption>
        <button
          type="button"
          className="quiet-button"
          aria-expanded={source}
          onClick={() => showSource(!source)}
        >
          {source ? text.hideSource : text.showSource}
        </button>
        {height !== undefined && height > room && (
          <button type="button" className="quiet-button" aria-pressed={all} onClick={resize}>
            {text.fullSize}
          </button>
        )}
      </figcaption>
      {source && <CodeBlock code={code} name="mermaid" />}
    </figure>
  );
}

/** The source in place of a diagram that cannot be drawn, with the same minimum height. */
function DiagramSource({ code, why, room = 0 }: { code: string; why: string; room?: number }) {
  return (
    <div data-diagram="failed" style={{ minHeight: room }}>
      <CodeBlock code={code} name="mermaid" />
      <p className="text-small whitespace-pre-wrap text-dim">{text.notDrawn(why)}</p>
    </div>
  );
}
