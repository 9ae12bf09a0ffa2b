import { useEffect, useState } from "react";

/** What is over sooner is not worth a bar. */
const DELAY_MS = 300;

interface Props {
  /** What is waited for, as a screen reader says it. */
  readonly label: string;
  /** How much of it is done, from 0 to 1, where that is known. */
  readonly part?: number | undefined;
}

/** A thin bar over what is waited for. It takes no room, so that nothing moves when it comes and goes. */
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
      title={label}
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

/** A place that is still empty: what it waits for, in words and as a bar. */
export function LoadingMessage({ text, small = false }: { text: string; small?: boolean }) {
  return (
    <div>
      <Progress label={text} />
      <p className={`text-dim ${small ? "pt-2 text-small" : "p-4"}`}>{text}</p>
    </div>
  );
}
