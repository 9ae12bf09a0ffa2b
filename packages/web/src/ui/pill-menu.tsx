import { ChevronDown, type LucideIcon } from "lucide-react";
import { MenuButton } from "./menu-button.tsx";
import type { MenuEntry } from "./menu-popup.tsx";

interface PillOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
  readonly icon?: LucideIcon;
  readonly isDanger?: boolean;
}

interface Props<T extends string> {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly value: T;
  readonly options: readonly PillOption<T>[];
  readonly onChange: (value: T) => void;
  /** Why nothing can be chosen now; shown on hover. */
  readonly disabledReason?: string | undefined;
  readonly isOutlined?: boolean;
  readonly isDanger?: boolean;
  readonly role?: string;
}

/** A button that shows the current choice and opens a menu of the others. */
export function PillMenu<T extends string>(props: Props<T>) {
  const { label, icon: Icon, value, options, onChange, disabledReason, role } = props;
  const current = options.find((option) => option.value === value);
  return (
    <MenuButton
      className={`button pill-menu min-w-0 shrink pointer-coarse:min-w-11 ${props.isOutlined ? "" : "button-ghost px-1.5"} ${props.isDanger ? "button-danger" : ""}`}
      data-tip={disabledReason ?? label}
      disabled={disabledReason !== undefined}
      data-role={role}
      data-value={value}
      menu={{
        label,
        value,
        entries: options.map(toEntry),
        // The entries have the values of the options as their keys.
        onSelect: (next) => onChange(next as T),
      }}
    >
      <Icon aria-hidden="true" />
      <span className="pill-menu-label">{label}</span>
      <span className="truncate">{current?.label ?? value}</span>
      <ChevronDown aria-hidden="true" className="size-3.5! opacity-70" />
    </MenuButton>
  );
}

function toEntry({ value, label, hint, isDanger }: PillOption<string>): MenuEntry {
  return {
    key: value,
    className: isDanger ? "text-failed" : "",
    content: (
      <span className="min-w-0">
        <span className="block truncate">{label}</span>
        {hint !== undefined && <span className="block max-w-72 text-small text-dim">{hint}</span>}
      </span>
    ),
  };
}
