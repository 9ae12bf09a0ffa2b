import type { JsonObject } from "@signalbox/protocol/wire";
import { count, text } from "../tool.ts";

type Mode = "content" | "files_with_matches" | "count";

/** Folders of version control, which nobody wants to search. */
const REPOSITORIES = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];

export function getMode(input: JsonObject): Mode {
  return (text(input, "output_mode") || "files_with_matches") as Mode;
}

/**
 * Returns ripgrep's options for context lines. `context` takes precedence over `-C`, and both over
 * `-A` and `-B`.
 */
export function getContextOptions(input: JsonObject): string[] {
  const around = count(input, "context") ?? count(input, "-C");
  if (around !== undefined) return ["-C", String(around)];
  return (["-B", "-A"] as const).flatMap((side) => {
    const lines = count(input, side);
    return lines === undefined ? [] : [side, String(lines)];
  });
}

/**
 * Builds ripgrep's arguments. Names end with NUL and lines come as JSON, so that they cannot be
 * mistaken for anything else.
 */
export function ripgrepArguments(input: JsonObject, target: string): string[] {
  const mode = getMode(input);
  const type = text(input, "type");
  const globs = [...REPOSITORIES.map((name) => `!${name}`), ...splitGlobs(text(input, "glob"))];
  return [
    "--hidden",
    ...globs.flatMap((glob) => ["--glob", glob]),
    ...(input["multiline"] === true ? ["-U", "--multiline-dotall"] : []),
    ...(input["-i"] === true ? ["-i"] : []),
    ...(mode === "files_with_matches" ? ["-l", "--null"] : []),
    ...(mode === "count" ? ["-c", "-H", "--null"] : []),
    ...(mode === "content" ? ["--json", ...getContextOptions(input)] : []),
    ...(type === "" ? [] : ["--type", type]),
    "-e",
    text(input, "pattern"),
    "--",
    target,
  ];
}

/** Splits globs at spaces, and at commas outside of braces. */
function splitGlobs(globs: string): string[] {
  return globs
    .split(/\s+/)
    .flatMap((one) => (one.includes("{") && one.includes("}") ? [one] : one.split(",")))
    .filter(Boolean);
}
