import { existsSync } from "node:fs";
import type { HubInfo } from "@signalbox/client";
import { readLastBackup } from "@signalbox/hub/backup";
import { checkDatabase } from "@signalbox/hub/store";
import type { Check } from "./check.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A backup that is older than this is worth a word. */
const OLD_DAYS = 30;
const remedy =
  "Stop the hub, copy the data folder to a safe place, then restore a backup: signalbox restore FILE";

/** The database of a hub that runs, as its last check found it. */
export function checkRunningDatabase({ trouble, databaseCheck }: HubInfo): Check {
  const what = "database";
  if (trouble !== null) return { what, state: "problem", detail: trouble };
  if (!databaseCheck) return { what, state: "ok", detail: "is being checked by the hub" };
  const { at, problems } = databaseCheck;
  const facts = { checkedAt: at, problems };
  const when = new Date(at).toLocaleString();
  if (problems.length === 0) {
    return { what, state: "ok", detail: `is sound, checked ${when}`, facts };
  }
  const detail = `is damaged: ${problems.slice(0, 3).join("; ")} (checked ${when})`;
  return { what, state: "problem", detail, remedy, facts };
}

/** The database of a hub that does not run: it is looked at here. */
export function checkStoppedDatabase(folder: string): Check[] {
  const what = "database";
  const problems = checkDatabase(folder);
  if (!problems) return [];
  if (problems.length === 0) return [{ what, state: "ok", detail: "is sound, checked now" }];
  const detail = `is damaged: ${problems.slice(0, 3).join("; ")}`;
  return [{ what, state: "problem", detail, remedy, facts: { problems } }];
}

/** When the last backup was made, as far as this folder knows. */
export function checkBackup(folder: string, now: number = Date.now()): Check {
  const what = "backup";
  const last = readLastBackup(folder);
  const make = "Make one, also while the hub runs: signalbox backup FILE";
  if (!last) return { what, state: "ok", detail: "none is known", remedy: make };
  const facts = { at: last.at, file: last.file };
  const days = Math.floor((now - last.at) / DAY_MS);
  const where = `${last.file}, made ${new Date(last.at).toLocaleString()}`;
  if (!existsSync(last.file)) {
    return { what, state: "ok", detail: `${where}; it is not there any more`, remedy: make, facts };
  }
  const isOld = days > OLD_DAYS;
  return { what, state: "ok", detail: where, facts, ...(isOld && { remedy: make }) };
}
