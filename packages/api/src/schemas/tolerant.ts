import type * as z from "zod";

/** The schema by which a tolerant schema is described. */
export const describedAs = new WeakMap<object, z.ZodType>();

/**
 * A part of a frame that is checked only for what `check` asks, and has the type and the description of
 * `schema`. Code that makes or reads it is held to every field, and the two ends of a link may still be of
 * different versions: a frame is not dropped for a part that its reader can judge by itself.
 */
export function tolerant<T>(schema: z.ZodType<T>, check: z.ZodType): z.ZodType<T> {
  describedAs.set(check, schema);
  return check as unknown as z.ZodType<T>;
}
