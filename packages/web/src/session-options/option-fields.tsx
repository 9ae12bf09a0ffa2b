import { type ReactNode, useId } from "react";
import { strings } from "../strings/strings.ts";
import { ChoiceSelect } from "../ui/choice-select.tsx";

const text = strings.sessionOptions;

/** Options that belong together. */
export function OptionGroup(props: {
  readonly title: string;
  /** Whether only approvers may change them. */
  readonly isForApprovers?: boolean;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}) {
  const { title, isForApprovers = false, isDisabled = false, children } = props;
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-3 border-t border-line px-4 py-3.5 first:border-t-0"
      disabled={isDisabled}
    >
      <legend className="float-left flex items-center gap-2 text-control font-semibold">
        {title}
        {isForApprovers && <ApproverBadge />}
      </legend>
      <div className="clear-both grid grid-cols-2 gap-x-4 gap-y-3 max-sm:grid-cols-1">
        {children}
      </div>
      {isForApprovers && isDisabled && <p className="text-small text-dim">{text.approverHint}</p>}
    </fieldset>
  );
}

function ApproverBadge() {
  return (
    <span className="rounded-small border border-line px-1.5 text-small font-normal text-dim">
      {text.approver}
    </span>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isForApprovers?: boolean;
  readonly isWide?: boolean;
}

/** A field under its label, with a hint below. `children` gets the ids of the two. */
function LabeledField({
  label,
  hint,
  isForApprovers = false,
  isWide = false,
  children,
}: FieldProps & {
  readonly children: (ids: {
    readonly field: string;
    readonly hint: string | undefined;
  }) => ReactNode;
}) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${isWide ? "col-span-full" : ""}`}>
      <label htmlFor={id} className="flex items-center gap-2 text-small text-dim">
        {label}
        {isForApprovers && <ApproverBadge />}
      </label>
      {children({ field: id, hint: hintId })}
      {hint !== undefined && (
        <p id={hintId} className="text-small text-faint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextProps extends FieldProps {
  readonly role: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
  readonly isNumber?: boolean;
  /** How many lines the field has at first; one that is absent has a single line. */
  readonly lines?: number;
  readonly suggestions?: readonly string[];
  readonly onChange: (value: string) => void;
}

export function OptionText(props: TextProps) {
  const { role, value, placeholder, isDisabled, isNumber, lines, suggestions, onChange } = props;
  const common = {
    "data-role": role,
    value,
    placeholder,
    spellCheck: false,
    autoComplete: "off",
    disabled: isDisabled,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange(event.target.value),
  };
  return (
    <LabeledField {...props}>
      {({ field, hint }) =>
        lines === undefined ? (
          <>
            <input
              {...common}
              id={field}
              className="field"
              aria-describedby={hint}
              inputMode={isNumber === true ? "decimal" : "text"}
              list={suggestions && `${field}-list`}
            />
            {suggestions && (
              <datalist id={`${field}-list`}>
                {suggestions.map((suggestion) => (
                  <option key={suggestion} value={suggestion} />
                ))}
              </datalist>
            )}
          </>
        ) : (
          <textarea
            {...common}
            id={field}
            className="field font-mono text-small"
            aria-describedby={hint}
            rows={lines}
          />
        )
      }
    </LabeledField>
  );
}

export function OptionChoice<T extends string>({
  label,
  hint,
  isForApprovers,
  isWide,
  ...choice
}: FieldProps & Omit<Parameters<typeof ChoiceSelect<T>>[0], "label">) {
  return (
    <LabeledField
      label={label}
      hint={hint}
      {...(isForApprovers !== undefined && { isForApprovers })}
      {...(isWide !== undefined && { isWide })}
    >
      {() => (
        <div className="flex *:w-full *:justify-between">
          <ChoiceSelect label={label} {...choice} />
        </div>
      )}
    </LabeledField>
  );
}
