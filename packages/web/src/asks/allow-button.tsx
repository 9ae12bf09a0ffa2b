import type { AskView } from "@signalbox/protocol";
import type { ReactNode } from "react";
import { refuseRepeat, useSettled } from "./use-settled.ts";

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
 * Says yes. Never focused by itself, deaf to held keys and for half a second after it came to its place (C16):
 * that of the button that unfolds, too, so that a double click does not do both.
 */
export function AllowButton(props: Props) {
  const { ask, disabled, role = "allow", folded, onAllow, children } = props;
  const { ref, settled } = useSettled<HTMLButtonElement>(
    `${ask.id} ${folded ? "folded" : "whole"}`,
  );
  if (folded) {
    return (
      <button type="button" className="button" data-role="unfold" onClick={folded}>
        Show everything first, then allow
      </button>
    );
  }
  return (
    <button
      ref={ref}
      type="button"
      className="button button-go min-w-0"
      data-role={role}
      aria-disabled={disabled || !settled}
      onKeyDown={refuseRepeat}
      onClick={() => !disabled && onAllow()}
    >
      {children}
    </button>
  );
}
