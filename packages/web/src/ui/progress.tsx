import { useEffect, useState } from "react";

/** Shorter waits show no progress bar. */
const DELAY_MS = 300;

interface Props {
  /** The label for screen readers. */
  readonly label: string;
  /** The share that is done, from 0 to 1, if known. */
  readonly part?: number | undefined;
}

/** A thin progress bar that takes no space, so that nothing moves when it appears. */
export function Progress({ label, part }: Props) {
  const late = useDelayElapsed();
  if (!late) return null;
  const percent = part === undefined ? undefined : Math.round(100 * Math.min(1, Math.max(0, part)));
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      data-tip={label}
    >
      {percent === undefined ? (
        <div className="lamp-pulse" />
      ) : (
        <div style={{ width: `${percent}%` }} />
      )}
    </div>
  );
}

function useDelayElapsed(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return late;
}

/** A message and progress bar in place of content that is loading. */
export function LoadingMessage({ text, small = false }: { text: string; small?: boolean }) {
  return (
    <div>
      <Progress label={text} />
      <p className={`text-dim ${small ? "pt-2 text-small" : "p-4"}`}>{text}</p>
    </div>
  );
}
