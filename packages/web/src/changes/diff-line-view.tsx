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

export type OnLine = (
  side: "old" | "new",
  line: number,
  how: "press" | "drag" | "extend" | "key",
) => void;

interface Props {
  readonly line: DiffLine;
  readonly columns: "unified" | "split";
  /** The side on which the line is chosen for a comment. */
  readonly selected: "old" | "new" | undefined;
  /** Undefined: this device may not comment. */
  readonly onLine: OnLine | undefined;
}

/** A line of a change, in one column or two. */
export const DiffLineView = memo(function DiffLineView(props: Props) {
  const { line, columns, selected, onLine } = props;
  if (line.kind === "remark") {
    return <div className="change-remark">{inert(line.text)}</div>;
  }
  const { kind, old, new: now } = line;
  if (columns === "split") {
    return (
      <div className="change-line" data-columns="split">
        <Half
          side={old}
          kind={kind === "same" ? "same" : "removed"}
          number={<NumberCell which="old" {...{ line, selected, onLine }} />}
        />
        <Half
          side={now}
          kind={kind === "same" ? "same" : "added"}
          number={<NumberCell which="new" {...{ line, selected, onLine }} />}
        />
      </div>
    );
  }
  const look = kind === "same" ? "same" : old ? "removed" : "added";
  const side = now ?? old;
  return (
    <div
      className="change-line"
      data-columns="unified"
      data-kind={look}
      data-selected={selected !== undefined}
    >
      {now ? (
        <span className="change-number" data-n={old?.number} />
      ) : (
        <NumberCell which="old" {...{ line, selected, onLine }} />
      )}
      {now ? (
        <NumberCell which="new" {...{ line, selected, onLine }} />
      ) : (
        <span className="change-number" />
      )}
      {side && <Code side={side} kind={look} />}
    </div>
  );
});

type Look = "same" | "added" | "removed";

interface HalfProps {
  readonly side: ShownSide | undefined;
  readonly kind: Look;
  readonly number: React.ReactNode;
}

function Half({ side, kind, number }: HalfProps) {
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
      {number}
      <Code side={side} kind={kind} />
    </>
  );
}

/** The number of a line. Pressing it begins a comment, and dragging or Shift selects more lines. */
function NumberCell(props: Omit<Props, "columns"> & { which: "old" | "new" }) {
  const { line, which, selected, onLine } = props;
  if (line.kind === "remark") return null;
  const side = line[which];
  const look = line.kind === "same" ? "same" : which === "old" ? "removed" : "added";
  if (!side || !onLine) {
    return <span className="change-number" data-kind={look} data-n={side?.number} />;
  }
  const { number } = side;
  return (
    <button
      type="button"
      className="change-number"
      tabIndex={-1}
      aria-label={strings.changes.review.line(number)}
      data-kind={look}
      data-n={number}
      data-side={which}
      data-selected={selected === which}
      data-role="comment-line"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.releasePointerCapture(event.pointerId);
        onLine(which, number, event.shiftKey ? "extend" : "press");
      }}
      onPointerEnter={(event) => event.buttons === 1 && onLine(which, number, "drag")}
      onClick={(event) => event.detail === 0 && onLine(which, number, "key")}
    />
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
