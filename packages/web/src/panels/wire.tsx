import type { Session } from "@signalbox/client";
import { useCallback, useRef, useState } from "react";
import { PlainText } from "../text/plain-text.tsx";
import { formatBytes, formatDateTime } from "../text/format.ts";
import { formatJsonLine } from "../text/format-json.ts";
import { describeLine } from "./describe-line.ts";
import { describeFilter } from "./loaded-lines.ts";
import { useLines } from "./use-lines.ts";
import { strings } from "../strings/strings.ts";

const words = strings.panels.protocol;

const directionSigns = { agent: "←", host: "→", keeper: "·" } as const;
/** The panel follows while it is scrolled this close to the newest line. */
const NEAR_PX = 40;

/**
 * Every line of the session's log, the newest first. New lines are added while the panel is scrolled to the
 * top.
 */
export default function WirePanel({ session }: { session: Session }) {
  const root = useRef<HTMLDivElement>(null);
  const scroller = useCallback(() => root.current?.closest("[role=tabpanel]"), []);
  const following = useCallback(() => (scroller()?.scrollTop ?? 0) < NEAR_PX, [scroller]);
  const wire = useLines(session, following);
  const { lines, more } = wire;
  const [text, setText] = useState("");
  const shown = lines.filter((line) => text === "" || line.text?.includes(text));
  const toNewest = () => {
    scroller()?.scrollTo({ top: 0 });
    wire.newest();
  };
  return (
    <div ref={root} className="flex flex-col gap-2">
      <div className="flex gap-2">
        <input
          type="search"
          className="field"
          placeholder={words.filter}
          aria-label={words.filterLabel}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="button" className="button shrink-0" onClick={toNewest}>
          {words.latest}
        </button>
      </div>
      {text !== "" && (
        <p className="text-small text-dim" role="status">
          {describeFilter(shown.length, wire)}
        </p>
      )}
      <ul className="font-mono text-small">
        {shown.toReversed().map((line) => (
          <li key={line.pos} className="border-b border-line">
            <details>
              <summary
                className="flex cursor-pointer gap-2 py-0.5 pointer-coarse:py-3.5"
                data-tip={formatDateTime(line.at)}
              >
                <span role="img" aria-label={words.directions[line.from]}>
                  {directionSigns[line.from]}
                </span>
                <span className="text-dim">{line.pos}</span>
                <span className="min-w-0 grow truncate">{describeLine(line.text)}</span>
                <span className="shrink-0 text-dim">{formatBytes(line.text?.length ?? 0)}</span>
              </summary>
              <PlainText text={line.text === undefined ? words.large : formatJsonLine(line.text)} />
            </details>
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" className="button" onClick={wire.older}>
          {words.older}
        </button>
      )}
    </div>
  );
}
