import { memo, type ReactNode, useMemo } from "react";
import type { Body } from "../../text/body.ts";
import { strings } from "../../strings/strings.ts";
import { formatNumber } from "../../text/format.ts";
import { chunkLines, splitHeadAndTail, trimEndLines } from "../../text/lines.ts";
import { AnsiText } from "../../text/ansi-text.tsx";
import { ShowMore, ShowWhole } from "./show-more.tsx";
import { useBody } from "./use-body.ts";
import { useFold } from "./use-fold.ts";

interface Props {
  readonly body: Body;
  /** The key under which unfolding is remembered. */
  readonly id: string;
  readonly head?: number;
  readonly tail?: number;
  readonly label: string;
}

/** The output of a program: its first and last lines, or all of it. */
export const Output = memo(function Output({ body, id, head = 6, tail = 6, label }: Props) {
  const { state, load } = useBody(body);
  const [all, showAll] = useFold(`${id}/all`, false);
  const loadAll = () => {
    if (!all) showAll();
    load();
  };
  if (state.kind === "cut") {
    const first = splitHeadAndTail(state.cut.head, head, 0, 1).head;
    const last = trimEndLines(state.cut.tail).split("\n").slice(-tail).join("\n");
    return (
      <Sheet label={label}>
        <AnsiText text={first} />
        <ShowWhole state={state} load={loadAll} />
        <AnsiText text={last} />
      </Sheet>
    );
  }
  return <Lines text={state.text} all={all} onAll={showAll} {...{ head, tail, label }} />;
});

function Lines(props: {
  text: string;
  all: boolean;
  onAll: () => void;
  head: number;
  tail: number;
  label: string;
}) {
  const { text, all, onAll, head, tail, label } = props;
  const shown = useMemo(() => trimEndLines(text), [text]);
  const ends = useMemo(() => splitHeadAndTail(shown, head, tail), [shown, head, tail]);
  if (ends.omitted === 0) {
    return (
      <Sheet label={label}>
        <AnsiText text={shown} />
      </Sheet>
    );
  }
  if (!all) {
    return (
      <Sheet label={label}>
        <AnsiText text={ends.head} />
        <ShowMore
          words={strings.content.showMoreLines(formatNumber(ends.omitted))}
          onClick={onAll}
        />
        <AnsiText text={ends.tail} />
      </Sheet>
    );
  }
  return (
    <Sheet label={label}>
      {chunkLines(shown, 200).map((chunk, at) => (
        <div key={at} className="far-lines">
          <AnsiText text={chunk} />
        </div>
      ))}
    </Sheet>
  );
}

function Sheet({ label, children }: { label: string; children: ReactNode }) {
  return (
    <pre className="sheet" tabIndex={0} aria-label={label} dir="ltr">
      {children}
    </pre>
  );
}
