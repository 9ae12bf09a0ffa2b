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

/** Labels of modes under policies that are stronger than the agent's own mode. */
const policyModeLabels: Partial<Record<PolicyName, Readonly<Record<string, string>>>> = {
  autonomous: { default: "Asks for nothing", acceptEdits: "Asks for nothing" },
  supervised: { acceptEdits: "Asks first" },
};

/** From the strictest mode to the loosest. */
const modesByStrictness = ["plan", "default", "acceptEdits"];

/** Whether a device with the role driver may switch to a mode. The hub lets drivers make it stricter only. */
function isStricter(mode: string, current: string): boolean {
  return modesByStrictness.indexOf(mode) <= Math.max(modesByStrictness.indexOf(current), 0);
}

/**
 * The available modes, labeled by their effect under this policy, including the current one. `mayLoosen`:
 * this device may approve.
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
