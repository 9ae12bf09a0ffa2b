import type { ToolStatus } from "@signalbox/timeline";
import { strings } from "../../strings/strings.ts";

/** The status of a call; `waiting`: a person has to answer first. */
type Mark = ToolStatus | "waiting";

const statusLabels: Readonly<Record<Mark, string>> = strings.tools.status;

const statusColors: Readonly<Record<Mark, string>> = {
  preparing: "text-dim",
  running: "text-working",
  waiting: "text-waiting",
  complete: "text-dim",
  error: "text-failed",
  denied: "text-failed",
  interrupted: "text-waiting",
};

/** The icon of a call's status. Every status has its own shape besides its color. */
export function StatusMark({ status }: { status: Mark }) {
  const known = Object.hasOwn(statusLabels, status) ? status : "preparing";
  return (
    <svg
      viewBox="0 0 12 12"
      className={`mx-0.5 size-3 shrink-0 ${statusColors[known]}`}
      role="img"
      aria-label={statusLabels[known]}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <title>{statusLabels[known]}</title>
      <Shape status={known} />
    </svg>
  );
}

function Shape({ status }: { status: Mark }) {
  switch (status) {
    case "preparing":
      return <circle cx="6" cy="6" r="4" strokeDasharray="2 3" />;
    case "running":
      return <circle cx="6" cy="6" r="4" fill="currentColor" stroke="none" />;
    case "waiting":
      return (
        <>
          <circle cx="6" cy="6" r="4.25" />
          <path d="M6 3.75V6.25L7.5 7.5" />
        </>
      );
    case "complete":
      return <path d="M2 6.5 5 9.5 10 3" />;
    case "error":
      return <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" />;
    case "denied":
      return (
        <>
          <circle cx="6" cy="6" r="4.25" />
          <path d="M3 9l6-6" />
        </>
      );
    case "interrupted":
      return <rect x="2.5" y="2.5" width="7" height="7" fill="currentColor" stroke="none" />;
    default:
      return status satisfies never;
  }
}
