import type { ToolStatus } from "@signalbox/timeline";

const words: Readonly<Record<ToolStatus, string>> = {
  preparing: "being written",
  running: "running",
  complete: "done",
  error: "failed",
  denied: "refused",
  interrupted: "interrupted",
};

const looks: Readonly<Record<ToolStatus, string>> = {
  preparing: "text-dim",
  running: "text-working",
  complete: "text-dim",
  error: "text-failed",
  denied: "text-failed",
  interrupted: "text-waiting",
};

/** How a call stands: each state has a shape of its own besides its colour. */
export function StatusMark({ status }: { status: ToolStatus }) {
  const known = Object.hasOwn(words, status) ? status : "preparing";
  return (
    <svg
      viewBox="0 0 12 12"
      className={`size-3 shrink-0 ${looks[known]}`}
      role="img"
      aria-label={words[known]}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <title>{words[known]}</title>
      <Shape status={known} />
    </svg>
  );
}

function Shape({ status }: { status: ToolStatus }) {
  switch (status) {
    case "preparing":
      return <circle cx="6" cy="6" r="4" strokeDasharray="2 3" />;
    case "running":
      return <circle cx="6" cy="6" r="4" fill="currentColor" stroke="none" />;
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
