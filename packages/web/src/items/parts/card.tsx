import { Children, type ReactNode } from "react";
import { PathText } from "../../text/path-text.tsx";
import { inert, spelled } from "../../text/visible.ts";
import { useFold } from "./use-fold.ts";

interface Props {
  readonly id: string;
  readonly mark: ReactNode;
  readonly name: ReactNode;
  /** A summary, truncated at its end and shown in full on hover. */
  readonly title?: string;
  readonly mono?: boolean;
  /** Whether the title is a path, which is truncated in the middle. */
  readonly path?: boolean;
  /** Figures at the right end. */
  readonly meta?: ReactNode;
  /** Shown even while the card is folded. */
  readonly below?: ReactNode;
  readonly open?: boolean;
  readonly children?: ReactNode;
}

/** A card with one line that summarizes it and unfolds the rest. */
export function Card({
  id,
  mark,
  name,
  title = "",
  mono = true,
  path = false,
  meta,
  below,
  open = false,
  children,
}: Props) {
  const [isOpen, toggle] = useFold(id, open);
  const line = mono ? spelled(title) : inert(title);
  const empty = Children.toArray(children).length === 0; // Ignores `false` and `null`.
  const head = (
    <>
      {mark}
      <span className="shrink-0 font-semibold">{name}</span>
      {path ? (
        <PathText path={title} className="grow text-left font-mono text-small" />
      ) : (
        <span
          className={`min-w-0 grow truncate text-left ${mono ? "as-it-runs font-mono text-small" : ""}`}
          title={line}
        >
          {line}
        </span>
      )}
      <span className="card-end">
        {meta !== undefined && <span className="card-meta">{meta}</span>}
        <Chevron open={isOpen} hidden={empty} />
      </span>
    </>
  );
  return (
    <section className="card">
      {empty ? (
        <div className="card-head">{head}</div>
      ) : (
        <button type="button" className="card-head" aria-expanded={isOpen} onClick={toggle}>
          {head}
        </button>
      )}
      {below}
      {isOpen && !empty && <div className="card-body">{children}</div>}
    </section>
  );
}

function Chevron({ open, hidden }: { open: boolean; hidden: boolean }) {
  return (
    <svg
      viewBox="0 0 12 12"
      aria-hidden="true"
      className={`size-3 shrink-0 text-dim ${open ? "rotate-90" : ""} ${hidden ? "invisible" : ""}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <path d="M4.5 2.5 8 6l-3.5 3.5" />
    </svg>
  );
}

/** A labeled part of an open card. */
export function Section({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="card-section">
      <h4 className="mb-1 text-small text-dim">{label}</h4>
      {children}
    </div>
  );
}
