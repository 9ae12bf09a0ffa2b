import type { PolicyName } from "@signalbox/api";

/** The policies, from the one that asks a person most often to the one that asks least. */
export const policiesFromStrict: readonly PolicyName[] = [
  "supervised",
  "plan",
  "default",
  "accept-edits",
  "autonomous",
];

/** Whether one policy lets more happen without asking a person than another. */
export function isLooser(policy: PolicyName, than: PolicyName): boolean {
  return policiesFromStrict.indexOf(policy) > policiesFromStrict.indexOf(than);
}
