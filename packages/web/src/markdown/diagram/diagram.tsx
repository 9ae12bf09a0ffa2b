import { memo, useState } from "react";
import { CodeBlock } from "../../code/code-block.tsx";
import { roomFor } from "./estimate-height.ts";
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

/** Those that somebody wanted whole: they are so again when they come back into sight. */
const whole = new Set<string>();

function Drawing({ code }: { code: string }) {
  const { frame, onLoad, height, problem } = useDrawing(code);
  const [source, showSource] = useState(false);
  const [all, setAll] = useState(whole.has(code));
  const room = roomFor(code);
  if (problem !== undefined) return <NotDrawn code={code} why={problem} room={room} />;
  const resize = () => {
    if (all) whole.delete(code);
    else whole.add(code);
    setAll(!all);
  };
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
          {source ? "Hide its source" : "Show its source"}
        </button>
        {height !== undefined && height > room && (
          <button type="button" className="quiet-button" aria-pressed={all} onClick={resize}>
            In full size
          </button>
        )}
      </figcaption>
      {source && <CodeBlock code={code} name="mermaid" />}
    </figure>
  );
}

/** The source in place of the drawing, in no less room than that was given. */
function NotDrawn({ code, why, room = 0 }: { code: string; why: string; room?: number }) {
  return (
    <div data-diagram="failed" style={{ minHeight: room }}>
      <CodeBlock code={code} name="mermaid" />
      <p className="text-small whitespace-pre-wrap text-dim">This diagram cannot be drawn: {why}</p>
    </div>
  );
}
