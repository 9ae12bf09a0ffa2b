/** The mark of Signalbox: a signal's two lamps. */
export function Logo() {
  return (
    <svg viewBox="0 0 20 20" className="size-5 shrink-0" aria-hidden="true">
      <rect
        x="1.75"
        y="1.75"
        width="16.5"
        height="16.5"
        rx="4.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      />
      <circle cx="10" cy="6.5" r="2" className="fill-waiting" />
      <circle cx="10" cy="13.5" r="2" className="fill-working" />
    </svg>
  );
}
