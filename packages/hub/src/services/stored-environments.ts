import * as z from "zod";

/** The setting that holds the environment profiles. */
export const ENVIRONMENTS = "environments";

/**
 * The stored form of environment profiles. A string is a secret, as were all values before there were values
 * that are shown. Null is a secret that a backup has left out.
 */
export const storedEnvironments = z.record(
  z.string(),
  z.record(z.string(), z.union([z.string(), z.object({ value: z.string() }), z.null()])),
);
export type StoredEnvironments = z.infer<typeof storedEnvironments>;

/** The setting that holds the salt of the audit's digests of secrets. */
export const SALT = "environments-salt";

/** The variables of all profiles, each by its profile and name. */
export function listVariables(profiles: StoredEnvironments): Record<string, unknown> {
  const variables = Object.entries(profiles).flatMap(([profile, storedVariables]) =>
    Object.entries(storedVariables).map(
      ([name, value]) => [JSON.stringify([profile, name]), value] as const,
    ),
  );
  return Object.fromEntries(variables);
}

/** The stored profiles without the values of secrets. What cannot be read may hold any, and is dropped. */
export function removeSecrets(stored: string): string {
  let storedValue: unknown;
  try {
    storedValue = JSON.parse(stored);
  } catch {
    return "{}";
  }
  const { data = {} } = storedEnvironments.safeParse(storedValue);
  return JSON.stringify(mapVariables(data, (value) => (typeof value === "string" ? null : value)));
}

type Variables<T> = Record<string, Record<string, T>>;

export function mapVariables<From, To>(
  profiles: Variables<From>,
  map: (value: From, profile: string, variable: string) => To,
): Variables<To> {
  return Object.fromEntries(
    Object.entries(profiles).map(([profile, variables]) => {
      const mapped = Object.entries(variables).map(
        ([variable, value]) => [variable, map(value, profile, variable)] as const,
      );
      return [profile, Object.fromEntries(mapped)];
    }),
  );
}
