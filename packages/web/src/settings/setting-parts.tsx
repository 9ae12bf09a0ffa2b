import { Select } from "@base-ui/react/select";
import { Switch } from "@base-ui/react/switch";
import { Check, ChevronDown } from "lucide-react";
import { type ReactNode, useId } from "react";

/** Settings that belong together, under a heading. */
export function SettingsGroup(props: {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, hint, children } = props;
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-control font-semibold">{title}</h3>
      {hint !== undefined && <p className="-mt-1 text-control text-dim">{hint}</p>}
      {children}
    </section>
  );
}

/** A box of rows with lines between them. */
export function SettingsBox({ children }: { readonly children: ReactNode }) {
  return <div className="box divide-y divide-line">{children}</div>;
}

/** One setting: what it is at the left, its control at the right. */
export function SettingRow(props: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly labelId?: string;
  readonly children: ReactNode;
}) {
  const { label, hint, labelId, children } = props;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2">
      <div className="min-w-48 flex-1">
        <div id={labelId}>{label}</div>
        {hint !== undefined && <div className="text-small text-dim">{hint}</div>}
      </div>
      {children}
    </div>
  );
}

/** A setting that is on or off. */
export function SwitchRow(props: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly role?: string;
  readonly onChange: (isOn: boolean) => void;
}) {
  const { label, hint, isOn, isDisabled = false, role, onChange } = props;
  const id = useId();
  return (
    <SettingRow label={label} labelId={id} {...(hint !== undefined && { hint })}>
      <Switch.Root
        className="switch"
        checked={isOn}
        disabled={isDisabled}
        aria-labelledby={id}
        data-role={role}
        onCheckedChange={onChange}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </SettingRow>
  );
}

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
      <Select.Trigger className="button" aria-label={label} data-role={role} data-value={value}>
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

/** A setting that is one of several values. */
export function ChoiceRow<T extends string>({
  hint,
  ...choice
}: Parameters<typeof ChoiceSelect<T>>[0] & { readonly hint?: ReactNode }) {
  return (
    <SettingRow label={choice.label} {...(hint !== undefined && { hint })}>
      <ChoiceSelect {...choice} />
    </SettingRow>
  );
}

/** A labeled text field of a form. */
export function TextField(props: {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly role?: string;
  readonly isCode?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (value: string) => void;
}) {
  const { label, value, placeholder, role, isCode = false, isDisabled = false, onChange } = props;
  return (
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-small text-dim">{label}</span>
      <input
        className={`field ${isCode ? "font-mono text-small" : ""}`}
        data-role={role}
        spellCheck={false}
        autoComplete="off"
        disabled={isDisabled}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

/** What went wrong with a form. */
export function FormProblem({ problem }: { readonly problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <p className="text-control text-failed wrap-anywhere" role="alert">
      {problem}
    </p>
  );
}
