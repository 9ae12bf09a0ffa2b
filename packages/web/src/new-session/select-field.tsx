import type { ReactNode } from "react";

interface Props {
  readonly label: string;
  /** The `data-role` by which tests find it. */
  readonly role?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

/** A labeled select. */
export function SelectField({ label, role, value, onChange, children }: Props) {
  return (
    <label className="flex max-w-full min-w-0 flex-col gap-1">
      <span className="text-small text-dim">{label}</span>
      <select
        className="field"
        data-role={role}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </select>
    </label>
  );
}
