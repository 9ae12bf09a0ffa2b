import { Switch } from "@base-ui/react/switch";
import { type ReactNode, useId } from "react";
import { PHONE_PX } from "../frame/frame-state.ts";
import { useMedia } from "../frame/use-media.ts";
import { ChoiceSelect } from "../ui/choice-select.tsx";

/** Settings that belong together, under a heading. */
export function SettingsGroup(props: {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, hint, children } = props;
  // On a phone the section's name is the heading of the page.
  const Heading = useMedia(`(width < ${PHONE_PX}px)`) ? "h2" : "h3";
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <Heading className="text-control font-semibold">{title}</Heading>
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
