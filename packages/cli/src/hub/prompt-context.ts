import { errorMessage } from "@signalbox/protocol/text";
import { readFileSync } from "node:fs";
import type { NewPrompt } from "@signalbox/client";
import { UsageError } from "../usage-error.ts";

/** Reads the context of a message: JSON, or the name of a file of JSON. The hub checks its fields. */
export function readContext(given: string): NonNullable<NewPrompt["context"]> {
  const isJson = given.trimStart().startsWith("{");
  const source = isJson ? "--context" : given;
  let value: unknown;
  try {
    value = JSON.parse(isJson ? given : readFileSync(given, "utf8"));
  } catch (failure) {
    throw new UsageError(`Cannot read the context from ${source}: ${errorMessage(failure)}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as NonNullable<NewPrompt["context"]>;
  throw new UsageError(`The context in ${source} must be a JSON object with "title" and "data".`);
}
