import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** A list of names and values. Entries without a value are omitted. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const told = facts.filter(([, value]) => value !== undefined && value !== "");
  if (told.length === 0) return null;
  return (
    <dl className="facts">
      {told.map(([name, value], at) => (
        <div key={at} className="contents">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
