import type { LampKind } from "@signalbox/client";

const words: Readonly<Record<LampKind, string>> = {
  working: "working",
  waiting: "needs you",
  idle: "idle",
  parked: "parked",
  failed: "failed or unreachable",
  "catching-up": "catching up",
};

const looks: Readonly<Record<LampKind, string>> = {
  working: "text-working",
  waiting: "text-waiting lamp-pulse",
  idle: "text-idle",
  parked: "text-dim",
  failed: "text-failed",
  "catching-up": "text-catching-up",
};

/** The lamp of a session. Its color is never the only distinction. */
export function Lamp({ state, word = words[state] }: { state: LampKind; word?: string }) {
  return (
    <svg
      viewBox="0 0 12 12"
      className={`size-3 shrink-0 ${looks[state]}`}
      role="img"
      aria-label={word}
    >
      <title>{word}</title>
      <Shape state={state} />
    </svg>
  );
}

function Shape({ state }: { state: LampKind }) {
  switch (state) {
    case "working":
      return <circle cx="6" cy="6" r="5" fill="currentColor" />;
    case "waiting":
      return <path d="M6 0.5 11.5 6 6 11.5 0.5 6Z" fill="currentColor" />;
    case "idle":
      return <circle cx="6" cy="6" r="4.5" fill="currentColor" className="stroke-dim" />;
    case "parked":
      return <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />;
    case "failed":
      return <rect x="1.5" y="1.5" width="9" height="9" fill="currentColor" />;
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
