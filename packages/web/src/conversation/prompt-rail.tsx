import { memo } from "react";
import { strings } from "../strings/strings.ts";
import { excerptPrompt, findCurrentPrompt, thinOut } from "./prompt-marks.ts";
import { type SessionHandle, useWatchValue } from "../store/use-session-handle.ts";

/** Fewer prompts are found by scrolling. */
const MIN_PROMPTS = 3;
/** More ticks would be too close to be hit. */
const MAX_TICKS = 40;

interface Props {
  readonly handle: SessionHandle;
  readonly rows: readonly string[];
  /** The first row in sight. */
  readonly top: number;
  readonly goTo: (row: number) => void;
}

/** A tick for each prompt at the edge of the conversation. The one that is being read is longer. */
export const PromptRail = memo(function PromptRail({ handle, rows, top, goTo }: Props) {
  const { view } = handle.watch;
  // A text, so that the rail renders again only when a prompt is added.
  const places = useWatchValue(handle, () =>
    rows.flatMap((id, at) => (view.item(id)?.kind === "prompt" ? [at] : [])).join(" "),
  );
  const prompts = places === "" ? [] : places.split(" ").map(Number);
  if (prompts.length < MIN_PROMPTS) return null;
  const current = findCurrentPrompt(prompts, top);
  return (
    <nav className="prompt-rail" aria-label={strings.conversation.prompts} data-role="prompt-rail">
      {thinOut(prompts, MAX_TICKS, current).map((at) => {
        const words = excerptPrompt(view.item(rows[at] ?? ""));
        return (
          <button
            key={rows[at]}
            type="button"
            tabIndex={-1}
            aria-label={words}
            aria-current={at === current}
            data-tip={words}
            onClick={() => goTo(at)}
          />
        );
      })}
    </nav>
  );
});
