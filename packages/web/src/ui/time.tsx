import { elapsed, moment, relative } from "../text/format.ts";
import { useSeconds } from "../store/clock.ts";

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: number }) {
  const now = useSeconds();
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
      {relative(at, now)}
    </time>
  );
}

/** How long something has lasted, counting. */
export function Lasting({ since }: { since: number }) {
  const now = useSeconds();
  return (
    <time dateTime={new Date(since).toISOString()} title={`since ${moment(since)}`}>
      {elapsed(Math.max(0, now - since))}
    </time>
  );
}
