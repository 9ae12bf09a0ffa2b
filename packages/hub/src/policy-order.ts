import type { PolicyName } from "@signalbox/api";

/** Each lets more happen without a person being asked than the one before. */
export const policiesFromStrict: readonly PolicyName[] = [
  "supervised",
  "plan",
  "default",
  "accept-edits",
  "autonomous",
];

/** Whether one policy lets more happen unasked than another. */
export function isLooser(policy: PolicyName, than: PolicyName): boolean {
  return policiesFromStrict.indexOf(policy) > policiesFromStrict.indexOf(than);
}
