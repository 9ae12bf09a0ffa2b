import { isPlainName } from "@signalbox/protocol/text";
import * as z from "zod";

/** A name that a person gives and others read: of a device, a session, an agent or a machine. */
export function shownName(longest: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine(isPlainName, "must not hold line breaks, control characters or invisible characters");
}
