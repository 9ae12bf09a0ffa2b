import { memo, type ReactNode } from "react";
import { CodeLine } from "../../code/code-line.tsx";
import { findLanguageByName, findLanguageByFile } from "../../code/highlight/detect-language.ts";
import { useHighlight } from "../../code/highlight/use-highlight.ts";
import type { Body } from "../../text/body.ts";
import { formatNumber } from "../../text/format.ts";
import { trimEndLines } from "../../text/lines.ts";
import { inert } from "../../text/visible.ts";
import { ShowMore, ShowWhole } from "./show-more.tsx";
import { useBody } from "./use-body.ts";
import { useFold } from "./use-fold.ts";
import { strings } from "../../strings/strings.ts";

interface Props {
  readonly body: Body;
  readonly id: string;
  /** A file name or a language name, which selects the highlighting. */
  readonly file?: string;
  readonly language?: string;
  /** The number of the first line. Without it, lines are not numbered. */
  readonly from?: number;
  /** The number of lines shown at first. */
  readonly head?: number;
}

/** Numbered and highlighted lines, of which the first are shown at first. */
export function CodeView(props: Props) {
  const { body, id, head = 14 } = props;
  const { state, load } = useBody(body);
  const [all, showAll] = useFold(`${id}/all`, false);
  if (state.kind === "cut") {
    const loadAll = () => {
      if (!all) showAll();
      load();
    };
    const text = state.cut.head.split("\n").slice(0, head).join("\n");
    return <Code {...props} text={text} more={<ShowWhole state={state} load={loadAll} />} />;
  }
  const text = trimEndLines(state.text);
  const lines = text.split("\n");
  if (all || lines.length <= head + 4) return <Code {...props} text={text} />;
  const words = strings.content.showMoreLines(formatNumber(lines.length - head));
  return (
    <Code
      {...props}
      text={lines.slice(0, head).join("\n")}
      more={<ShowMore words={words} onClick={showAll} />}
    />
  );
}

const Code = memo(function Code({
  text,
  more,
  file,
  language,
  from,
}: Props & { text: string; more?: ReactNode }) {
  const highlighted = useHighlight(
    text,
    findLanguageByName(language) ?? findLanguageByFile(file ?? ""),
  );
  return (
    <pre
      className="sheet"
      tabIndex={0}
      aria-label={inert(file ?? strings.content.code)}
      data-file={file}
      dir="ltr"
    >
      {highlighted.map((tokens, at) => (
        <span
          key={at}
          className={from === undefined ? "code-line" : "code-line numbered"}
          data-n={from === undefined ? undefined : from + at}
        >
          <CodeLine tokens={tokens} />
          {"\n"}
        </span>
      ))}
      {more}
    </pre>
  );
});
