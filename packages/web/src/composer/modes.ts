import type { PolicyName } from "@signalbox/api";

interface Mode {
  readonly value: string;
  readonly label: string;
}

const defaultModes: readonly Mode[] = [
  { value: "default", label: "Asks first" },
  { value: "acceptEdits", label: "Edits freely" },
  { value: "plan", label: "Plans first" },
];

/** What each mode means under a policy: some policies are stronger than the agent's own mode. */
const policyModeLabels: Partial<Record<PolicyName, Readonly<Record<string, string>>>> = {
  autonomous: { default: "Asks for nothing", acceptEdits: "Asks for nothing" },
  supervised: { acceptEdits: "Asks first" },
};

/** From strict to loose. */
const modesByStrictness = ["plan", "default", "acceptEdits"];

/** Whether a driver may switch to a mode: to a stricter one alone, as the hub has it. */
function isStricter(mode: string, current: string): boolean {
  return modesByStrictness.indexOf(mode) <= Math.max(modesByStrictness.indexOf(current), 0);
}

/**
 * The modes to choose from, in words that are true under this policy; the current one is among them.
 * `mayLoosen`: this device approves.
 */
export function availableModes(
  policy: PolicyName,
  current: string,
  mayLoosen: boolean,
): readonly Mode[] {
  const modes = defaultModes.map(({ value, label }) => ({
    value,
    label: policyModeLabels[policy]?.[value] ?? label,
  }));
  const known = modes.some(({ value }) => value === current);
  const all = known ? modes : [{ value: current, label: current }, ...modes];
  return all.filter(
    ({ value, label }, at) =>
      value === current ||
      ((mayLoosen || isStricter(value, current)) &&
        !all.slice(0, at).some((other) => other.label === label) &&
        label !== all.find((other) => other.value === current)?.label),
  );
}
