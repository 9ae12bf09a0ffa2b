import type { SessionOptions } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

const text = strings.sessionOptions;

/** A variable or header as it is edited. */
export interface VariableDraft {
  /** Of the row, while it is edited. */
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly isSecret: boolean;
  /** Whether the hub has a secret under this name; it is kept unless a value is entered. */
  readonly isStored: boolean;
}

export function newVariable(name = "", isSecret = false): VariableDraft {
  return { id: crypto.randomUUID(), name, value: "", isSecret, isStored: false };
}

type Variables = NonNullable<SessionOptions["variables"]>;

export function toVariableDrafts(variables: Variables = {}): readonly VariableDraft[] {
  return Object.entries(variables).map(([name, held]) => ({
    ...newVariable(name, held === null),
    value: typeof held === "object" && held !== null ? held.value : "",
    isStored: held === null,
  }));
}

/** The variables as they are sent: null keeps a stored secret. */
export function readVariables(drafts: readonly VariableDraft[]): Variables {
  return Object.fromEntries(
    drafts.map(({ name, value, isSecret, isStored }) => {
      if (isSecret && isStored && value === "") return [name.trim(), null];
      return [name.trim(), isSecret ? value : { value }];
    }),
  );
}

const namePatterns = {
  variable: /^[A-Za-z_][A-Za-z0-9_]*$/,
  header: /^[!#$%&'*+.^`|~\w-]+$/,
} as const;

/** Why the variables or headers cannot be used. Undefined if they can. */
export function findVariableProblem(
  drafts: readonly VariableDraft[],
  kind: keyof typeof namePatterns,
): string | undefined {
  const names = drafts.map(({ name }) => name.trim());
  const bad = names.find((name) => !namePatterns[kind].test(name));
  if (bad !== undefined) return kind === "variable" ? text.badVariable(bad) : text.badHeader(bad);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return text.variableTwice(twice);
  const empty = drafts.find(
    ({ isSecret, isStored, value }) => isSecret && !isStored && value === "",
  );
  return empty && text.valueNeeded(empty.name.trim());
}
