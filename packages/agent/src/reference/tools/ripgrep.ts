import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Query } from "./grep.ts";
import { type Found, type FoundLine, rejected } from "./search.ts";

const MAX_BYTES = 20 * 1024 * 1024;
const known = new Map<string, Promise<boolean>>();

export async function hasRipgrep(path = ""): Promise<boolean> {
  const found = known.get(path) ?? isOnPath(path);
  known.set(path, found);
  return found;
}

async function isOnPath(path: string): Promise<boolean> {
  const folders = path.split(delimiter).filter(Boolean);
  const looks = folders.map((folder) => access(join(folder, "rg"), constants.X_OK));
  return Promise.any(looks).then(
    () => true,
    () => false,
  );
}

/** Lets ripgrep search. Its answers come as JSON, so that no file name can be mistaken for another. */
export async function ripgrep(
  query: Query,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Found[]> {
  const { pattern, path, glob, type, ignoreCase, multiline, before, after, mode } = query;
  const globs = glob?.split(/[\s,]+(?![^{]*\})/).filter(Boolean) ?? [];
  const context = mode === "content" ? ["-B", String(before), "-A", String(after)] : [];
  const args = [
    "--json",
    "--no-config",
    "--hidden",
    ...(ignoreCase ? ["-i"] : []),
    ...(multiline ? ["-U", "--multiline-dotall"] : []),
    ...["!.git", ...globs].flatMap((one) => ["--glob", one]),
    ...(type === undefined ? [] : ["--type", type]),
    ...context,
    "-e",
    pattern,
    "--",
    path,
  ];
  const child = spawn("rg", args, {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  let said = "";
  let failed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
    if (said.length > MAX_BYTES) child.kill();
  });
  child.stderr.on("data", (chunk: Buffer) => (failed += chunk.toString("utf8").slice(0, 2000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code === 2 && said === "") throw rejected(failed.trim());
  return readEvents(said, before + after > 0);
}

function readEvents(said: string, gaps: boolean): Found[] {
  const found = new Map<string, { path: string; matches: number; lines: FoundLine[] }>();
  for (const line of said.split("\n")) {
    const event = parse(line);
    if (event?.type !== "match" && event?.type !== "context") continue;
    const { path, lines, line_number: number } = event.data;
    const name = path.text ?? Buffer.from(path.bytes ?? "", "base64").toString("utf8");
    const file = found.get(name) ?? { path: name, matches: 0, lines: [] };
    found.set(name, file);
    const isMatch = event.type === "match";
    const text = lines.text ?? Buffer.from(lines.bytes ?? "", "base64").toString("utf8");
    if (isMatch) file.matches++;
    const last = file.lines.at(-1);
    if (gaps && last && number > last.number + 1) {
      file.lines.push({ number: last.number, text: "--", isMatch: false, isGap: true });
    }
    for (const [index, one] of text.replace(/\n$/, "").split("\n").entries()) {
      file.lines.push({ number: number + index, text: one, isMatch });
    }
  }
  return [...found.values()].filter(({ matches }) => matches > 0);
}

interface RgEvent {
  type: string;
  data: {
    path: { text?: string; bytes?: string };
    lines: { text?: string; bytes?: string };
    line_number: number;
  };
}
function parse(line: string): RgEvent | undefined {
  try {
    return JSON.parse(line) as RgEvent;
  } catch {
    return undefined; // the last line, cut when there was too much
  }
}
