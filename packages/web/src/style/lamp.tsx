import type { LampKind } from "@signalbox/client";
import { strings } from "../strings/strings.ts";

const looks: Readonly<Record<LampKind, string>> = {
  working: "text-working",
  waiting: "text-waiting-mark lamp-pulse",
  idle: "text-idle-mark",
  parked: "text-idle-mark",
  failed: "text-failed",
  "catching-up": "text-catching-up",
};

/** The lamp of a session. Its color is never the only distinction. */
export function Lamp({ state, word = strings.lamps[state] }: { state: LampKind; word?: string }) {
  return (
    <svg
      viewBox="0 0 12 12"
      className={`size-3 shrink-0 overflow-visible ${looks[state]}`}
      {...(word === "" ? { "aria-hidden": true } : { role: "img", "aria-label": word })}
    >
      {word !== "" && <title>{word}</title>}
      <Shape state={state} />
    </svg>
  );
}

function Shape({ state }: { state: LampKind }) {
  switch (state) {
    case "working":
      return (
        <>
          <circle cx="6" cy="6" r="7" fill="currentColor" opacity="0.18" />
          <circle cx="6" cy="6" r="4" fill="currentColor" />
        </>
      );
    case "waiting":
      return (
        <>
          <path d="M6 -2.5 14.5 6 6 14.5 -2.5 6Z" fill="currentColor" opacity="0.18" />
          <path d="M6 0.5 11.5 6 6 11.5 0.5 6Z" fill="currentColor" />
        </>
      );
    case "idle":
      return <circle cx="6" cy="6" r="4" fill="currentColor" />;
    case "parked":
      return <circle cx="6" cy="6" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />;
    case "failed":
      return <rect x="2" y="2" width="8" height="8" rx="1.5" fill="currentColor" />;
    case "catching-up":
      return (
        <circle
          cx="6"
          cy="6"
          r="4"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeDasharray="6 2.4"
        />
      );
    default:
      return state satisfies never;
  }
}
