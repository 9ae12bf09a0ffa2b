import { Menu } from "@base-ui/react/menu";
import { Check, ChevronDown, type LucideIcon } from "lucide-react";

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
  /** Whether only the icon is shown on narrow screens. */
  readonly isIconOnPhone?: boolean;
}

/** A button that shows the current choice and opens a menu of the others. */
export function PillMenu<T extends string>(props: Props<T>) {
  const { label, icon: Icon, value, options, onChange, disabledReason, role } = props;
  const current = options.find((option) => option.value === value);
  return (
    <Menu.Root>
      <Menu.Trigger
        className={`button min-w-0 shrink pointer-coarse:min-w-11 ${props.isOutlined ? "" : "button-ghost px-1.5"} ${props.isDanger ? "button-danger" : ""}`}
        aria-label={`${label}: ${current?.label ?? value}`}
        data-tip={disabledReason ?? label}
        disabled={disabledReason !== undefined}
        data-role={role}
        data-value={value}
      >
        <Icon aria-hidden="true" />
        <span className={`truncate ${props.isIconOnPhone ? "max-sm:sr-only" : ""}`}>
          {current?.label ?? value}
        </span>
        <ChevronDown aria-hidden="true" className="size-3.5! opacity-70 max-sm:hidden" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="z-25" align="start" sideOffset={6}>
          <Menu.Popup className="menu" aria-label={label}>
            <Menu.RadioGroup value={value} onValueChange={(next: T) => onChange(next)}>
              {options.map((option) => (
                <Menu.RadioItem
                  key={option.value}
                  value={option.value}
                  className={`menu-item items-start ${option.isDanger ? "text-failed" : ""}`}
                  closeOnClick
                >
                  <span className="flex w-4 shrink-0 pt-px">
                    <Menu.RadioItemIndicator>
                      <Check aria-hidden="true" />
                    </Menu.RadioItemIndicator>
                  </span>
                  <span className="min-w-0">
                    <span className="block truncate">{option.label}</span>
                    {option.hint !== undefined && (
                      <span className="block max-w-72 text-small text-dim">{option.hint}</span>
                    )}
                  </span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
