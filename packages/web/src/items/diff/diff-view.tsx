import type { Hunk } from "@signalbox/timeline/view";
import { memo, useMemo } from "react";
import { findLanguageByFile } from "../../code/highlight/detect-language.ts";
import { type TokenLine, tokenClass } from "../../code/highlight/tokens.ts";
import { useHighlight } from "../../code/highlight/use-highlight.ts";
import { strings } from "../../strings/strings.ts";
import { MarkedText } from "../../text/marked-text.tsx";
import { ShowMore } from "../parts/show-more.tsx";
import { useFold } from "../parts/use-fold.ts";
import { formatNumber } from "../../text/format.ts";
import { inert } from "../../text/visible.ts";
import { highlightChanges } from "./highlighted-changes.ts";
import { setDiffMode, useDiffMode } from "./diff-mode.ts";
import { type DiffRow, buildRows, type DiffSide, joinSide } from "./rows.ts";

const text = strings.tools;

/** Rows that are shown at first. */
const MAX_INITIAL_ROWS = 24;

interface Lines {
  readonly old: readonly TokenLine[];
  readonly new: readonly TokenLine[];
}

/** A change to a file, in one column or two. */
export const DiffView = memo(function DiffView(props: {
  hunks: readonly Hunk[];
  file: string;
  id: string;
  /** Whether the line numbers are those of the file. Otherwise none are shown. */
  numbered?: boolean;
}) {
  const { hunks, file, id, numbered = true } = props;
  const mode = useDiffMode();
  const [all, showAll] = useFold(`${id}/all`, false);
  const rows = useMemo(() => buildRows(hunks), [hunks]);
  const shown = useMemo(
    () => (all || rows.length <= MAX_INITIAL_ROWS + 4 ? rows : rows.slice(0, MAX_INITIAL_ROWS)),
    [all, rows],
  );
  const language = findLanguageByFile(file);
  const lines = {
    old: useHighlight(
      useMemo(() => joinSide(shown, "old"), [shown]),
      language,
    ),
    new: useHighlight(
      useMemo(() => joinSide(shown, "new"), [shown]),
      language,
    ),
  };
  return (
    <div className="diff" data-mode={mode} data-numbered={numbered} data-file={file}>
      <div className="diff-bar" role="group" aria-label={text.changesAsColumns}>
        <ModeButton mode="unified" now={mode} />
        <ModeButton mode="split" now={mode} />
      </div>
      <table>
        {mode === "split" && <SplitColumns />}
        <tbody>{mode === "split" ? splitRows(shown, lines) : unifiedRows(shown, lines)}</tbody>
      </table>
      {shown.length < rows.length && (
        <ShowMore
          words={strings.content.showMoreLines(formatNumber(rows.length - shown.length))}
          onClick={showAll}
        />
      )}
    </div>
  );
});

/** Sets the column widths, which the browser cannot take from a first row that spans all columns. */
function SplitColumns() {
  return (
    <colgroup>
      <col className="numbers" />
      <col />
      <col className="numbers" />
      <col />
    </colgroup>
  );
}

function ModeButton({ mode, now }: { mode: "unified" | "split"; now: string }) {
  return (
    <button
      type="button"
      className="quiet-button"
      aria-pressed={mode === now}
      onClick={() => setDiffMode(mode)}
    >
      {mode === "unified" ? text.unified : text.split}
    </button>
  );
}

/** Returns the highlighted lines of one side, one by one. */
function createLineReader(lines: readonly TokenLine[]): () => TokenLine | undefined {
  let next = 0;
  return () => lines[next++];
}

function unifiedRows(rows: readonly DiffRow[], lines: Lines) {
  const nextOld = createLineReader(lines.old);
  const nextNew = createLineReader(lines.new);
  // Within a group of changed rows, all removed lines come before the added ones.
  const drawn: React.ReactNode[] = [];
  let added: React.ReactNode[] = [];
  rows.forEach((row, at) => {
    if (row.kind !== "changed") {
      drawn.push(...added);
      added = [];
    }
    if (row.kind === "gap") drawn.push(<Gap key={at} row={row} first={at === 0} columns={3} />);
    else if (row.kind === "remark") drawn.push(<DiffNote key={at} text={row.text} columns={3} />);
    else if (row.kind === "same") {
      nextOld();
      drawn.push(
        <tr key={at}>
          <LineNumber value={row.old.number} />
          <LineNumber value={row.new.number} />
          <Code side={row.new} tokens={nextNew()} sign=" " />
        </tr>,
      );
    } else {
      if (row.old) {
        drawn.push(
          <tr key={`${at}-`} className="removed">
            <LineNumber value={row.old.number} />
            <LineNumber />
            <Code side={row.old} tokens={nextOld()} sign="-" />
          </tr>,
        );
      }
      if (row.new) {
        added.push(
          <tr key={`${at}+`} className="added">
            <LineNumber />
            <LineNumber value={row.new.number} />
            <Code side={row.new} tokens={nextNew()} sign="+" />
          </tr>,
        );
      }
    }
  });
  return [...drawn, ...added];
}

function splitRows(rows: readonly DiffRow[], lines: Lines) {
  const nextOld = createLineReader(lines.old);
  const nextNew = createLineReader(lines.new);
  return rows.map((row, at) => {
    if (row.kind === "gap") return <Gap key={at} row={row} first={at === 0} columns={4} />;
    if (row.kind === "remark") return <DiffNote key={at} text={row.text} columns={4} />;
    const changed = row.kind === "changed";
    return (
      <tr key={at}>
        <LineNumber value={row.old?.number} look={changed && row.old ? "removed" : ""} />
        {row.old ? (
          <Code
            side={row.old}
            tokens={nextOld()}
            sign={changed ? "-" : " "}
            look={changed ? "removed" : ""}
          />
        ) : (
          <td className="nothing" />
        )}
        <LineNumber value={row.new?.number} look={changed && row.new ? "added" : ""} />
        {row.new ? (
          <Code
            side={row.new}
            tokens={nextNew()}
            sign={changed ? "+" : " "}
            look={changed ? "added" : ""}
          />
        ) : (
          <td className="nothing" />
        )}
      </tr>
    );
  });
}

function Gap(props: { row: Extract<DiffRow, { kind: "gap" }>; first: boolean; columns: number }) {
  const { row, first, columns } = props;
  if (first && row.hunk.newStart <= 1) return null;
  return (
    <tr className="gap">
      <td colSpan={columns}>{text.line(row.hunk.newStart)}</td>
    </tr>
  );
}

function DiffNote({ text, columns }: { text: string; columns: number }) {
  return (
    <tr className="gap">
      <td colSpan={columns}>{inert(text)}</td>
    </tr>
  );
}

function LineNumber({ value, look = "" }: { value?: number | undefined; look?: string }) {
  return <td className={`number ${look}`} data-n={value} />;
}

const Code = memo(function Code(props: {
  side: DiffSide;
  tokens: TokenLine | undefined;
  sign: "+" | "-" | " ";
  look?: string;
}) {
  const { side, tokens, sign, look = "" } = props;
  const stretches = highlightChanges(tokens ?? [[side.text, 0]], side.words);
  return (
    <td className={`code ${look}`} data-sign={sign}>
      {sign === "+" && <span className="sr-only">{text.addedLine}</span>}
      {sign === "-" && <span className="sr-only">{text.removedLine}</span>}
      {stretches.map(({ text, kind, changed }, at) =>
        kind === 0 && !changed ? (
          <MarkedText key={at} text={text} />
        ) : (
          <span key={at} className={`${tokenClass[kind] ?? ""} ${changed ? "word" : ""}`}>
            <MarkedText text={text} />
          </span>
        ),
      )}
    </td>
  );
});
