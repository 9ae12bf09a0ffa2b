import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useFold } from "./use-fold.ts";

interface Props {
  readonly id: string;
  readonly children: ReactNode;
  /** Content that the line unfolds. */
  readonly more?: ReactNode;
  readonly tone?: "dim" | "waiting" | "failed" | "working";
}

/** A line of secondary text between items, which may unfold more. */
export function StatusLine({ id, children, more, tone = "dim" }: Props) {
  const [open, toggle] = useFold(id, false);
  const foldable = more !== undefined && more !== null && more !== false;
  const look = `remark text-${tone}`;
  return (
    <div className="text-small">
      {foldable ? (
        <button type="button" className={look} aria-expanded={open} onClick={toggle}>
          {children}
          <ChevronRight
            aria-hidden="true"
            className={`size-3! shrink-0 self-center text-dim transition-[rotate] ${open ? "rotate-90" : ""}`}
          />
        </button>
      ) : (
        <div className={look}>{children}</div>
      )}
      {foldable && open && <div className="mt-1 rounded-box border border-line">{more}</div>}
    </div>
  );
}
