import type { Lamp as SessionLamp } from "@signalbox/client";
import { Lamp } from "../style/lamp.tsx";
import { lampWord } from "../store/lamp.ts";

/** A session's lamp with its label. `quiet`: the label is shown on hover only. */
export function LampView({ lamp, quiet = false }: { lamp: SessionLamp; quiet?: boolean }) {
  const word = lampWord(lamp);
  if (quiet) {
    return (
      <span className="inline-flex shrink-0" data-lamp={lamp.word}>
        <Lamp state={lamp.kind} word={word} />
      </span>
    );
  }
  return (
    <span
      data-lamp={lamp.word}
      className={`inline-flex shrink-0 items-center gap-1.5 text-small ${lampTextColors[lamp.kind]}`}
    >
      <span aria-hidden="true">
        <Lamp state={lamp.kind} word={word} />
      </span>
      {word}
    </span>
  );
}

const lampTextColors: Readonly<Record<SessionLamp["kind"], string>> = {
  working: "text-working",
  waiting: "text-waiting",
  idle: "text-dim",
  parked: "text-dim",
  failed: "text-failed",
  "catching-up": "text-catching-up",
};
