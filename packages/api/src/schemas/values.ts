import * as z from "zod";

export const uuidText = z.uuid();

/**
 * Whether a text has no NUL, at which an argument of a program or a line on a screen would be cut.
 */
const hasNoNul = (text: string) => !text.includes("\0");
const NO_NUL = "must not hold a NUL character";

export const programArgument = z
  .string()
  .max(100_000)
  .refine(hasNoNul, NO_NUL)
  .describe("An argument of a program.");
export const filePath = z.string().min(1).max(4096);

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be letters, digits and _, not beginning with a digit");
export const visibleValue = z.strictObject({ value: programArgument });
