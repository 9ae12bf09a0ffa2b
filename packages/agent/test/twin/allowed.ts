import type { Difference } from "./differences.ts";

/** A difference that `docs/spec/agent-differences.md` gives a reason for, by the number it has there. */
export interface Allowed {
  readonly id: string;
  readonly path: RegExp;
}

export const allowed: readonly Allowed[] = [];

export function isAllowed({ path }: Difference): boolean {
  return allowed.some((one) => one.path.test(path));
}
