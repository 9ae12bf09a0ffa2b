import type { AskView } from "@signalbox/protocol";
import type { ReactNode } from "react";
import { refuseRepeat, useArmed } from "./use-armed.ts";

interface Props {
  readonly ask: AskView;
  readonly disabled: boolean;
  /** Something of the text is not shown yet: this opens it, and only then can it be allowed. */
  readonly folded?: () => void;
  readonly onAllow: () => void;
  readonly children: ReactNode;
}

/** Says yes. Never focused by itself, deaf for the first half second and to held keys (C16). */
export function AllowButton({ ask, disabled, folded, onAllow, children }: Props) {
  const armed = useArmed(ask.id);
  if (folded) {
    return (
      <button type="button" className="button" data-role="unfold" onClick={folded}>
        Show everything first, then allow
      </button>
    );
  }
  return (
    <button
      type="button"
      className="button button-go min-w-0"
      data-role="allow"
      aria-disabled={disabled || !armed}
      onKeyDown={refuseRepeat}
      onClick={() => armed && !disabled && onAllow()}
    >
      {children}
    </button>
  );
}
