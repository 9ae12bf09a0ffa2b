import { type ReactNode, type Ref, useImperativeHandle } from "react";
import { refuseRepeat, useSettled } from "./use-settled.ts";

interface Props {
  /** Identifies what the button answers. When it changes, the button has to settle again. */
  readonly of: string;
  readonly disabled?: boolean;
  readonly look?: string;
  readonly role?: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement | null>;
}

/**
 * A button that answers something, which cannot be undone. It never takes the focus by itself, ignores held
 * keys, and ignores clicks for half a second after it has appeared or moved (C16).
 */
export function AnswerButton(props: Props) {
  const { of, disabled = false, look = "", role, onPress, children } = props;
  const { ref, settled } = useSettled<HTMLButtonElement>(of);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(
    props.ref,
    () => ref.current,
  );
  return (
    <button
      ref={ref}
      type="button"
      className={`button ${look}`}
      data-role={role}
      aria-disabled={disabled || !settled}
      data-settling={!disabled && !settled}
      onKeyDown={refuseRepeat}
      onClick={() => !disabled && onPress()}
    >
      {children}
    </button>
  );
}
