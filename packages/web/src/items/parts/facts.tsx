import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** A list of names and values. Entries without a value are omitted. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const visibleFacts = facts.filter(([, value]) => value !== undefined && value !== "");
  if (visibleFacts.length === 0) return null;
  return (
    <dl className="facts">
      {visibleFacts.map(([name, value], at) => (
        <div key={at} className="contents">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
