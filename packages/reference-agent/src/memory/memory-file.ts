import { readFile, stat } from "node:fs/promises";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { getPatterns } from "./patterns.ts";
import { withoutComments } from "./prose.ts";

/** A file with instructions for the agent that a person wrote. */
export interface MemoryFile {
  readonly path: string;
  readonly type: "Managed" | "User" | "Project" | "Local";
  readonly text: string;
  /** The patterns of the files to which a rule applies. */
  readonly patterns: readonly string[];
  /** The file that imports it. */
  readonly importedBy?: string;
}

/** Reads a memory file. Returns undefined if it is missing, empty or unreadable. */
export async function readMemoryFile(
  path: string,
  type: MemoryFile["type"],
): Promise<MemoryFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined; // Reading a pipe would never end.
  const whole = await readFile(path, "utf8").catch(() => "");
  const { head, body } = await readFrontMatter(whole.replace(/^\uFEFF/, ""));
  const text = withoutComments(body).trim();
  return text === "" ? undefined : { path, type, text, patterns: getPatterns(head["paths"]) };
}
