import { Select } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";

/** A button that shows the chosen value and opens the list of all. */
export function ChoiceSelect<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    readonly hint?: string;
  }[];
  readonly isDisabled?: boolean;
  readonly role?: string;
  readonly onChange: (value: T) => void;
}) {
  const { label, value, options, isDisabled = false, role, onChange } = props;
  const current = options.find((option) => option.value === value);
  return (
    <Select.Root
      value={value}
      disabled={isDisabled}
      onValueChange={(next) => next !== null && onChange(next)}
    >
      <Select.Trigger
        className="button justify-between"
        aria-label={label}
        data-role={role}
        data-value={value}
      >
        <span className="truncate">{current?.label ?? value}</span>
        <ChevronDown aria-hidden="true" className="size-3.5! opacity-70" />
      </Select.Trigger>
      <Select.Portal>
        <Select.Positioner className="z-25" align="end" sideOffset={6} alignItemWithTrigger={false}>
          <Select.Popup className="menu">
            {options.map((option) => (
              <Select.Item
                key={option.value}
                value={option.value}
                className="menu-item items-start"
                data-option={option.value}
              >
                <span className="flex w-4 shrink-0 pt-px">
                  <Select.ItemIndicator>
                    <Check aria-hidden="true" />
                  </Select.ItemIndicator>
                </span>
                <span className="min-w-0">
                  <Select.ItemText className="block truncate">{option.label}</Select.ItemText>
                  {option.hint !== undefined && (
                    <span className="block max-w-72 text-small text-dim">{option.hint}</span>
                  )}
                </span>
              </Select.Item>
            ))}
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}
