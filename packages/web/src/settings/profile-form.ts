import type { Environments, NewEnvironments } from "@signalbox/api";
import { settingsStrings } from "../strings/settings-strings.ts";

const text = settingsStrings.accounts;

/** A variable as it is edited. */
export interface VariableDraft {
  /** Of the row, while it is edited. */
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly isSecret: boolean;
  /** Whether the hub has a secret under this name; it is kept unless a value is entered. */
  readonly isStored: boolean;
}

export interface ProfileDraft {
  readonly name: string;
  readonly variables: readonly VariableDraft[];
}

export function newVariable(name = "", isSecret = false): VariableDraft {
  return { id: crypto.randomUUID(), name, value: "", isSecret, isStored: false };
}

export function toProfileDraft(name: string, variables: Environments[string]): ProfileDraft {
  return {
    name,
    variables: Object.entries(variables).map(([variable, storedValue]) => ({
      ...newVariable(variable, storedValue === null),
      value: storedValue?.value ?? "",
      isStored: storedValue === null,
    })),
  };
}

/** The variables as they are sent: null keeps a stored secret. */
export function fromProfileDraft({ variables }: ProfileDraft): NewEnvironments[string] {
  return Object.fromEntries(
    variables.map(({ name, value, isSecret, isStored }) => {
      if (isSecret && isStored && value === "") return [name.trim(), null];
      return [name.trim(), isSecret ? value : { value }];
    }),
  );
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What keeps a profile from being saved. `others`: the names of the other profiles. */
export function findProfileProblem(
  { name, variables }: ProfileDraft,
  others: readonly string[],
): string | undefined {
  const trimmed = name.trim();
  if (trimmed === "") return text.nameNeeded;
  if (others.includes(trimmed)) return text.nameTaken(trimmed);
  const names = variables.map((variable) => variable.name.trim());
  const bad = names.find((each) => !variableName.test(each));
  if (bad !== undefined) return text.badVariable(bad);
  const twice = names.find((each, at) => names.indexOf(each) !== at);
  if (twice !== undefined) return text.variableTwice(twice);
  const empty = variables.find(
    ({ isSecret, isStored, value }) => isSecret && !isStored && value === "",
  );
  return empty && text.valueNeeded(empty.name.trim());
}
