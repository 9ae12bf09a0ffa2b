import type { SessionColour } from "@signalbox/api";

/** A session's colour. Its name stands beside it wherever it is shown, so nobody has to see the colour. */
export function SessionMark({ colour }: { colour: SessionColour }) {
  return (
    <span
      className="session-mark"
      data-colour={colour}
      title={`its colour: ${colour}`}
      aria-hidden
    />
  );
}
