import { memo, useCallback, useSyncExternalStore } from "react";
import { tokenClass, type TokenLine } from "../code/highlight/tokens.ts";
import { highlightChanges } from "../items/diff/highlighted-changes.ts";
import { strings } from "../strings/strings.ts";
import { formatNumber } from "../text/format.ts";
import { MarkedText } from "../text/marked-text.tsx";
import { inert } from "../text/visible.ts";
import type { DiffLine, ShownSide } from "./diff-lines.ts";

/** More of a line is not drawn: a generated file may be one line of a megabyte. */
const MAX_LINE = 2000;

interface Props {
  readonly line: DiffLine;
  readonly columns: "unified" | "split";
}

/** A line of a change, in one column or two. */
export const DiffLineView = memo(function DiffLineView({ line, columns }: Props) {
  if (line.kind === "remark") {
    return <div className="change-remark">{inert(line.text)}</div>;
  }
  const { kind, old, new: now } = line;
  if (columns === "split") {
    return (
      <div className="change-line" data-columns="split">
        <Half side={old} kind={kind === "same" ? "same" : "removed"} />
        <Half side={now} kind={kind === "same" ? "same" : "added"} />
      </div>
    );
  }
  const look = kind === "same" ? "same" : old ? "removed" : "added";
  const side = now ?? old;
  return (
    <div className="change-line" data-columns="unified" data-kind={look}>
      <span className="change-number" data-n={old?.number} />
      <span className="change-number" data-n={now?.number} data-side={now ? "new" : "old"} />
      {side && <Code side={side} kind={look} />}
    </div>
  );
});

type Look = "same" | "added" | "removed";

function Half({ side, kind }: { side: ShownSide | undefined; kind: Look }) {
  if (!side) {
    return (
      <>
        <span className="change-number" data-kind="nothing" />
        <span className="change-code" data-kind="nothing" />
      </>
    );
  }
  return (
    <>
      <span className="change-number" data-kind={kind} data-n={side.number} />
      <Code side={side} kind={kind} />
    </>
  );
}

function Code({ side, kind }: { side: ShownSide; kind: Look }) {
  const tokens = useTokens(side);
  const isLong = side.text.length > MAX_LINE;
  const shown: TokenLine = isLong
    ? [[side.text.slice(0, MAX_LINE), 0]]
    : (tokens ?? [[side.text, 0]]);
  return (
    <span className="change-code" data-kind={kind}>
      {kind === "added" && <span className="sr-only">{strings.tools.addedLine}</span>}
      {kind === "removed" && <span className="sr-only">{strings.tools.removedLine}</span>}
      {highlightChanges(shown, isLong ? [] : side.words).map(({ text, kind: token, changed }, at) =>
        token === 0 && !changed ? (
          <MarkedText key={at} text={text} />
        ) : (
          <span key={at} className={`${tokenClass[token] ?? ""} ${changed ? "word" : ""}`}>
            <MarkedText text={text} />
          </span>
        ),
      )}
      {isLong && (
        <em className="text-faint">
          {strings.changes.longLine(formatNumber(side.text.length - MAX_LINE))}
        </em>
      )}
    </span>
  );
}

function useTokens({ chunk, at }: ShownSide): TokenLine | undefined {
  const get = useCallback(() => chunk.get()?.[at], [chunk, at]);
  return useSyncExternalStore(chunk.subscribe, get, get);
}
