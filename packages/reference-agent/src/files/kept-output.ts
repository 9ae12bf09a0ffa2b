import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Session, toolResultsFolder } from "../session.ts";

const PREVIEW = 2000;

/**
 * Stores an output that is too large for the conversation beside the transcript, and returns its
 * path.
 */
export async function keepOutput(
  session: Session,
  name: string,
  content: string | Uint8Array,
): Promise<string> {
  const path = await placeFor(session, name);
  await writeFile(path, content, { mode: 0o600 });
  return path;
}

export async function keepCopy(session: Session, name: string, from: string): Promise<string> {
  const path = await placeFor(session, name);
  await copyFile(from, path);
  return path;
}

async function placeFor(session: Session, name: string): Promise<string> {
  const folder = toolResultsFolder(session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, name);
}

/** Renders what the model sees in place of a stored output. */
export function getPreview(storedOutput: {
  path: string;
  size: number;
  beginning: string;
}): string {
  const start = storedOutput.beginning.slice(0, PREVIEW);
  const lineEnd = start.lastIndexOf("\n");
  const preview = lineEnd > PREVIEW / 2 ? start.slice(0, lineEnd) : start;
  const rest = preview === storedOutput.beginning ? "" : "\n...";
  return `<persisted-output>\nOutput too large (${sizeText(storedOutput.size)}). Full output saved to: ${storedOutput.path}\n\nPreview (first 2KB):\n${preview}${rest}\n</persisted-output>`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KB", "MB", "GB"];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1).replace(/\.0$/, "")}${units[unit]}`;
}
