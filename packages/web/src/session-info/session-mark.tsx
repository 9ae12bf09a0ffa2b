import type { SessionColour } from "@signalbox/api";

/** The color of a session. It is decorative; the session's name is always beside it. */
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
