import type { PolicyName } from "@signalbox/api";

export interface Mode {
  readonly value: string;
  readonly words: string;
}

const usual: readonly Mode[] = [
  { value: "default", words: "Asks first" },
  { value: "acceptEdits", words: "Edits freely" },
  { value: "plan", words: "Plans first" },
];

/** What each mode means under a policy: some policies are stronger than the agent's own mode. */
const under: Partial<Record<PolicyName, Readonly<Record<string, string>>>> = {
  autonomous: { default: "Asks for nothing", acceptEdits: "Asks for nothing" },
  supervised: { acceptEdits: "Asks first" },
};

/** From strict to loose. */
const fromStrict = ["plan", "default", "acceptEdits"];

/** Whether a driver may switch to a mode: to a stricter one alone, as the hub has it. */
function isStricter(mode: string, current: string): boolean {
  return fromStrict.indexOf(mode) <= Math.max(fromStrict.indexOf(current), 0);
}

/**
 * The modes to choose from, in words that are true under this policy; the current one is among them.
 * `mayLoosen`: this device approves.
 */
export function modesUnder(
  policy: PolicyName,
  current: string,
  mayLoosen: boolean,
): readonly Mode[] {
  const modes = usual.map(({ value, words }) => ({
    value,
    words: under[policy]?.[value] ?? words,
  }));
  const known = modes.some(({ value }) => value === current);
  const all = known ? modes : [{ value: current, words: current }, ...modes];
  return all.filter(
    ({ value, words }, at) =>
      value === current ||
      ((mayLoosen || isStricter(value, current)) &&
        !all.slice(0, at).some((other) => other.words === words) &&
        words !== all.find((other) => other.value === current)?.words),
  );
}
