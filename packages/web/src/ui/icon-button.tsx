import type { LucideIcon } from "lucide-react";
import type { ComponentProps, Ref } from "react";

interface Props extends Omit<ComponentProps<"button">, "children" | "title"> {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Keys that do the same, shown on hover. */
  readonly keys?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button that is only an icon. Its label is read out and shown on hover. */
export function IconButton({ icon: Icon, label, keys, className = "", ...rest }: Props) {
  return (
    <button
      type="button"
      className={`button button-ghost button-icon shrink-0 ${className}`}
      aria-label={label}
      data-tip={keys === undefined ? label : `${label} (${keys})`}
      {...rest}
    >
      <Icon aria-hidden="true" />
    </button>
  );
}
