import { formatBytes } from "../../text/format.ts";
import type { BodyState } from "./use-body.ts";

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
        {busy ? "Fetching…" : words}
      </button>
      {problem !== undefined && (
        <span className="text-failed" role="alert">
          It could not be fetched: {problem}. What is shown here is kept; try again.
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
      words={`Show all (${formatBytes(state.cut.bytes)})`}
      busy={state.loading}
      {...(state.problem !== undefined && { problem: state.problem })}
      onClick={load}
    />
  );
}
