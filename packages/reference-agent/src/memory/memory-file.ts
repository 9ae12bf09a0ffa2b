import { readFile, stat } from "node:fs/promises";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { getPatterns } from "./patterns.ts";
import { withoutComments } from "./prose.ts";

/** Something that a person wrote for the agent. */
export interface MemoryFile {
  readonly path: string;
  readonly type: "Managed" | "User" | "Project" | "Local";
  readonly text: string;
  /** A rule for certain files: what these are. */
  readonly patterns: readonly string[];
  /** The file that names it. */
  readonly importedBy?: string;
}

/** Nothing where there is no such file, it says nothing, or cannot be read. */
export async function readMemoryFile(
  path: string,
  type: MemoryFile["type"],
): Promise<MemoryFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined; // a pipe would never end
  const whole = await readFile(path, "utf8").catch(() => "");
  const { head, body } = await readFrontMatter(whole.replace(/^\uFEFF/, ""));
  const text = withoutComments(body).trim();
  return text === "" ? undefined : { path, type, text, patterns: getPatterns(head["paths"]) };
}
