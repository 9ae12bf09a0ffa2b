import { ChevronRight } from "lucide-react";
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
  /** A row has no border: reads, searches and other small steps. */
  readonly isRow?: boolean;
  readonly children?: ReactNode;
}

/** One line that summarizes something and unfolds the rest: a card, or a row without a border. */
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
  isRow = false,
  children,
}: Props) {
  const [isOpen, toggle] = useFold(id, open);
  const line = mono ? spelled(title) : inert(title);
  const empty = Children.toArray(children).length === 0; // Ignores `false` and `null`.
  const head = (
    <>
      {mark}
      {name !== "" && <span className="shrink-0 font-medium text-ink">{name}</span>}
      {path ? (
        <PathText path={title} className="text-left font-mono text-[12.5px]" />
      ) : (
        <span
          className={`min-w-0 truncate text-left ${mono ? "as-it-runs font-mono text-[12.5px]" : ""}`}
          data-tip={line}
        >
          {line}
        </span>
      )}
      <span className="card-end">
        {meta !== undefined && <span className="card-meta">{meta}</span>}
        {!empty && (
          <ChevronRight
            aria-hidden="true"
            className={`card-chevron size-3.5! text-faint ${isOpen ? "rotate-90" : ""}`}
          />
        )}
      </span>
    </>
  );
  return (
    <section className={isRow ? "step-row" : "card"}>
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

/** A labeled part of an open card. */
export function Section({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="card-section">
      <h4 className="mb-1 text-small text-dim">{label}</h4>
      {children}
    </div>
  );
}
