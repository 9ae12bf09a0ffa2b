import type { ReactNode } from "react";
import { refuseRepeat, useSettled } from "./use-settled.ts";

interface Props {
  /** What it answers: where another thing takes its place, it is deaf anew. */
  readonly of: string;
  readonly disabled?: boolean;
  readonly look?: string;
  readonly role?: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/**
 * Answers something, yes or no: an answer cannot be taken back. Never focused by itself, deaf to held keys
 * and for half a second after it came to its place (C16).
 */
export function AnswerButton(props: Props) {
  const { of, disabled = false, look = "", role, onPress, children } = props;
  const { ref, settled } = useSettled<HTMLButtonElement>(of);
  return (
    <button
      ref={ref}
      type="button"
      className={`button ${look}`}
      data-role={role}
      aria-disabled={disabled || !settled}
      onKeyDown={refuseRepeat}
      onClick={() => !disabled && onPress()}
    >
      {children}
    </button>
  );
}
