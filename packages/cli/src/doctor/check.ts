/** The result of one check. `remedy` says what a person can do about it. */
export interface Check {
  readonly what: string;
  readonly state: "ok" | "warning" | "problem";
  readonly detail: string;
  readonly remedy?: string;
  /** The same facts for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export function getWorstState(checks: readonly Check[]): Check["state"] {
  const states = ["problem", "warning"] as const;
  return states.find((state) => checks.some((check) => check.state === state)) ?? "ok";
}
