import { isObject } from "../json.ts";

/** The message of whatever was thrown. An object that is no error is shown as JSON, if that is possible. */
export function errorMessage(failure: unknown): string {
  if (failure instanceof Error) return failure.message;
  if (!isObject(failure)) return String(failure);
  try {
    return JSON.stringify(failure);
  } catch {
    return "an object that cannot be shown"; // It refers to itself.
  }
}
