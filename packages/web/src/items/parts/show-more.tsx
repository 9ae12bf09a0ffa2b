import { strings } from "../../strings/strings.ts";
import { formatBytes } from "../../text/format.ts";
import type { BodyState } from "./use-body.ts";

const text = strings.content;

/** A button in place of omitted content. */
export function ShowMore(props: {
  words: string;
  busy?: boolean;
  problem?: string;
  onClick: () => void;
}) {
  const { words, busy = false, problem, onClick } = props;
  return (
    <div className="show-more">
      <button type="button" className="quiet-button" disabled={busy} onClick={onClick}>
        {busy ? text.loading : words}
      </button>
      {problem !== undefined && (
        <span className="text-failed" role="alert">
          {text.couldNotLoad(problem)}
        </span>
      )}
    </div>
  );
}

/** A button that loads the whole of a truncated body. */
export function ShowWhole({
  state,
  load,
}: {
  state: Extract<BodyState, { kind: "cut" }>;
  load: () => void;
}) {
  return (
    <ShowMore
      words={state.problem === undefined ? text.showAll(formatBytes(state.cut.bytes)) : text.retry}
      busy={state.loading}
      {...(state.problem !== undefined && { problem: state.problem })}
      onClick={load}
    />
  );
}
