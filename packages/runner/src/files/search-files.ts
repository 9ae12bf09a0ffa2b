import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { ContentMatch, ContentMatches } from "@signalbox/api";
import { bundledAgent } from "@signalbox/host/agents";
import { decodeStrictly, findGit, listHiddenFromGit } from "@signalbox/host/git";
import { isExecutable } from "@signalbox/host/system";
import { listFiles } from "../supervise/find-files.ts";
import { readSessionFile } from "./read-file.ts";

const MAX_MATCHES = 500;
const MAX_PER_FILE = 50;
const MAX_TEXT = 300;
const MAX_WALKED = 20_000;
const MAX_BYTES = 64 << 20;
const TIMEOUT_MS = 10_000;

interface Ripgrep {
  readonly path: string;
  /** The name under which it is started: the agent's own program is ripgrep under that name. */
  readonly argv0: string;
}

/** The lines of a session's files that hold a text. Ignored files and links are left out. */
export async function searchFiles(
  root: string,
  text: string,
  ripgrep: Ripgrep | undefined = findRipgrep(),
): Promise<ContentMatches> {
  if (!ripgrep) return walk(root, text);
  return (await runRipgrep(root, text, ripgrep)) ?? walk(root, text);
}

function findRipgrep(): Ripgrep | undefined {
  const folders = findGit().folders.split(delimiter).filter(isAbsolute);
  const installed = folders.map((folder) => join(folder, "rg")).find(isExecutable);
  if (installed !== undefined) return { path: installed, argv0: "rg" };
  const agent = bundledAgent();
  return agent !== undefined && existsSync(agent) ? { path: agent, argv0: "rg" } : undefined;
}

/** Undefined: it could not be run. */
function runRipgrep(
  root: string,
  text: string,
  { path, argv0 }: Ripgrep,
): Promise<ContentMatches | undefined> {
  const hidden = listHiddenFromGit().flatMap((one) =>
    one.startsWith(`${root}/`) ? [`--glob=!/${escapeGlob(one.slice(root.length + 1))}`] : [],
  );
  const args = [
    "--no-config",
    "--null",
    "--line-number",
    "--no-heading",
    "--with-filename",
    "--color=never",
    "--no-messages",
    "--hidden",
    "--glob=!.git",
    ...hidden,
    "--smart-case",
    "--fixed-strings",
    `--max-columns=${MAX_TEXT}`,
    "--max-columns-preview",
    "--max-filesize=5M",
    `--max-count=${MAX_PER_FILE}`,
    "--sort=path",
    `--regexp=${text}`,
    "--",
    "./",
  ];
  const env = { PATH: findGit().folders, LC_ALL: "C" };
  return new Promise((resolve) => {
    const stdio = ["ignore", "pipe", "ignore"] as const;
    const child = spawn(path, args, { cwd: root, env, argv0, stdio: [...stdio] });
    const pieces: Buffer[] = [];
    let size = 0;
    let isCut = false;
    const stop = () => {
      isCut = true;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(stop, TIMEOUT_MS);
    child.stdout.on("data", (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > MAX_MATCHES * 2 * MAX_TEXT) stop();
    });
    child.on("error", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      // 1: nothing was found; 2: something could not be read, or it could not be run at all.
      if (!isCut && code !== 0 && code !== 1 && size === 0) return resolve(undefined);
      const matches = parseMatches(Buffer.concat(pieces).toString("latin1"));
      const most = matches.slice(0, MAX_MATCHES);
      resolve({ matches: most, cut: isCut || most.length < matches.length, by: "ripgrep" });
    });
  });
}

/** Reads `path NUL line : text`, one character per byte. A name that is not UTF-8 cannot be opened, so it is left out. */
function parseMatches(printed: string): ContentMatch[] {
  const matches: ContentMatch[] = [];
  const row = /(?:\.\/)?([^\0]+)\0(\d+):([^\n]*)(?:\n|$)/gy;
  for (const [, path = "", line = "", found = ""] of printed.matchAll(row)) {
    const name = decodeStrictly(Buffer.from(path, "latin1"));
    if (name === undefined) continue;
    const text = Buffer.from(found, "latin1").toString().slice(0, MAX_TEXT);
    matches.push({ path: name, line: Number(line), text });
  }
  return matches;
}

const escapeGlob = (path: string) => path.replaceAll(/[*?[\]{}\\!]/g, "\\$&");

/** Without ripgrep the files are read one after the other. */
async function walk(root: string, text: string): Promise<ContentMatches> {
  const isExact = text !== text.toLowerCase();
  const fold = (line: string) => (isExact ? line : line.toLowerCase());
  const paths = (await listFiles(root)).filter((path) => path !== "");
  const deadline = performance.now() + TIMEOUT_MS;
  const matches: ContentMatch[] = [];
  let left = MAX_BYTES;
  let isCut = paths.length > MAX_WALKED;
  for (const path of paths.slice(0, MAX_WALKED).toSorted()) {
    if (matches.length >= MAX_MATCHES || left <= 0 || performance.now() > deadline) {
      isCut = true;
      break;
    }
    const content = await readSessionFile(root, path).catch(() => undefined);
    if (content?.kind !== "text") continue;
    left -= content.bytes;
    const lines = content.text.split("\n");
    const found = lines.flatMap((line, nth) =>
      fold(line).includes(text) ? { path, line: nth + 1, text: line.slice(0, MAX_TEXT) } : [],
    );
    matches.push(...found.slice(0, MAX_PER_FILE));
  }
  return { matches: matches.slice(0, MAX_MATCHES), cut: isCut, by: "walk" };
}
