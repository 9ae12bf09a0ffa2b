import { memo } from "react";
import { CodeLine } from "../../markdown/code-lines.tsx";
import { languageNamed, languageOfFile } from "../../markdown/highlight/language-of.ts";
import { useHighlight } from "../../markdown/highlight/use-highlight.ts";
import type { Body } from "../body.ts";
import { count } from "../text/figures.ts";
import { trimmedEnd } from "../text/lines.ts";
import { ShowMore, ShowWhole } from "./show-more.tsx";
import { useBody } from "./use-body.ts";
import { useFold } from "./use-fold.ts";

interface Props {
  readonly body: Body;
  readonly id: string;
  /** Tells the language: a file's name, or a language's own. */
  readonly file?: string;
  readonly language?: string;
  /** The number of the first line; without it lines have none. */
  readonly from?: number;
  /** How many lines are shown at first. */
  readonly head?: number;
}

/** The contents of a file: numbered lines in colours, the first of them at first. */
export function CodeView(props: Props) {
  const { body, from } = props;
  const { state, load } = useBody(body);
  if (state.kind === "whole") return <Code {...props} text={trimmedEnd(state.text)} />;
  return (
    <>
      <Code {...props} text={state.cut.head} />
      <ShowWhole state={state} load={load} />
      {from === undefined && <Code {...props} id={`${props.id}/tail`} text={state.cut.tail} />}
    </>
  );
}

const Code = memo(function Code({
  text,
  id,
  file,
  language,
  from,
  head = 14,
}: Props & { text: string }) {
  const [all, showAll] = useFold(`${id}/all`, false);
  const lines = text.split("\n");
  const folded = !all && lines.length > head + 4;
  const shown = folded ? lines.slice(0, head).join("\n") : text;
  const coloured = useHighlight(shown, languageNamed(language) ?? languageOfFile(file ?? ""));
  return (
    <pre className="sheet" tabIndex={0} aria-label={file ?? "code"} data-file={file} dir="ltr">
      {coloured.map((tokens, at) => (
        <span
          key={at}
          className={from === undefined ? "code-line" : "code-line numbered"}
          data-n={from === undefined ? undefined : from + at}
        >
          <CodeLine tokens={tokens} />
          {"\n"}
        </span>
      ))}
      {folded && (
        <ShowMore words={`Show ${count(lines.length - head)} more lines`} onClick={showAll} />
      )}
    </pre>
  );
});
