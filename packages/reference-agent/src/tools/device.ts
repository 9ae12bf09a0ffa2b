import { stat } from "node:fs/promises";
import { realPath } from "../files/paths.ts";

/**
 * Returns why a special file cannot be read: it never ends, waits for a person, or is the agent's
 * own input.
 */
export async function deviceProblem(path: string, given: string): Promise<string | undefined> {
  if (path === "/dev/null") return undefined;
  const named = [path, realPath(path)].some((one) =>
    /^\/(dev|proc\/(self|thread-self|\d+))\//.test(one),
  );
  const place = named ? undefined : await stat(path).catch(() => undefined);
  if (!named && (!place || place.isFile() || place.isDirectory())) return undefined;
  return `Cannot read '${given}': it is a device or belongs to a process, and this tool reads neither.`;
}
