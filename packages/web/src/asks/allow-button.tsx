import type { AskView } from "@signalbox/protocol";
import type { ReactNode } from "react";
import { refuseRepeat, useArmed } from "./use-armed.ts";

interface Props {
  readonly ask: AskView;
  readonly disabled: boolean;
  readonly role?: "allow" | "allow-edited";
  /** Something of the text is not shown yet: this opens it, and only then can it be allowed. */
  readonly folded?: () => void;
  readonly onAllow: () => void;
  readonly children: ReactNode;
}

/**
 * Says yes. Never focused by itself, deaf for the first half second and to held keys (C16); deaf again when
 * it takes the place of the button that unfolds, so that a double click does not do both.
 */
export function AllowButton(props: Props) {
  const { ask, disabled, role = "allow", folded, onAllow, children } = props;
  const armed = useArmed(`${ask.id} ${folded ? "folded" : "whole"}`);
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
      data-role={role}
      aria-disabled={disabled || !armed}
      onKeyDown={refuseRepeat}
      onClick={() => armed && !disabled && onAllow()}
    >
      {children}
    </button>
  );
}
