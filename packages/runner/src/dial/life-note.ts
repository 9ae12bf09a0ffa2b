import { isProcessAlive } from "@signalbox/host/system";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const NOTE = "life.json";
const note = z.object({
  life: z.uuid(),
  to: z.string(),
  pid: z.int(),
  /** So many of its lines no hub has: the numbers of those after them are less by so much. */
  skipped: z.int().min(0).default(0),
});
type LifeNote = Omit<z.infer<typeof note>, "pid">;

/** An address may hold a secret, which has no business on the disk. */
export function addressHash(url: string): string {
  return createHash("sha256").update(url).digest("hex");
}

/** Says beside the lines that wait on the disk whose they are, should this process be killed. */
export function writeLifeNote(folder: string, life: LifeNote): void {
  const text = JSON.stringify({ ...life, pid: process.pid });
  writeFileSync(join(folder, NOTE), text, { mode: 0o600 });
}

/** What lies there is nobody's any more: it is not delivered. */
export function forgetLife(folder: string): void {
  rmSync(join(folder, NOTE), { force: true });
}

/** Whose lines lie there, and since when; undefined: nobody's, or somebody's who lives. */
export function readLifeNote(folder: string): (LifeNote & { since: number }) | undefined {
  const file = join(folder, NOTE);
  let body: unknown;
  let since: number;
  try {
    body = JSON.parse(readFileSync(file, "utf8"));
    since = statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
  const { data } = note.safeParse(body);
  if (!data || isProcessAlive(data.pid)) return undefined;
  const { life, to, skipped } = data;
  return { life, to, skipped, since };
}
