import { readdirSync, readFileSync } from "node:fs";
import { ModelError } from "./errors.ts";

/** Beside both `src` and `dist`, so this file finds it from either. */
const folder = new URL("../examples/", import.meta.url);
const ending = ".script";

/** The names of the scripts that come with this package. */
export function exampleNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .toSorted();
}

/** The text of the script with that name. */
export function exampleScript(name: string): string {
  const known = exampleNames();
  if (!known.includes(name)) throw new ModelError("EXAMPLE_UNKNOWN", { name, known });
  return readFileSync(new URL(name + ending, folder), "utf8");
}

/** The text of the script that a newcomer sees. */
export function demoScript(): string {
  return exampleScript("demo");
}
