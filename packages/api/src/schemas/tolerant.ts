import type * as z from "zod";

/** The schema that describes a tolerant schema in the documentation. */
export const describedAs = new WeakMap<object, z.ZodType>();

/**
 * A part of a frame that is only checked with `check`, but has the type and the description of
 * `schema`. Code is type-checked against every field, while the two ends of a link may be of
 * different versions: a frame is not dropped because of a part that its reader can check itself.
 */
export function tolerant<T>(schema: z.ZodType<T>, check: z.ZodType): z.ZodType<T> {
  describedAs.set(check, schema);
  return check as unknown as z.ZodType<T>;
}
