import { existsSync } from "node:fs";
import type { HubInfo } from "@signalbox/client";
import { readLastBackup } from "@signalbox/hub/backup";
import { checkDatabase } from "@signalbox/hub/store";
import type { Check } from "./check.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A new backup is suggested after this many days. */
const OLD_DAYS = 30;
const remedy =
  "Stop the hub, copy the data folder to a safe place, then restore a backup: signalbox restore FILE";

/** Reports the last check of the database that a running hub has made. */
export function checkRunningDatabase({ trouble, databaseCheck }: HubInfo): Check {
  const what = "database";
  if (trouble !== null) return { what, state: "problem", detail: trouble };
  if (!databaseCheck) return { what, state: "ok", detail: "the hub is checking it" };
  const { at, problems } = databaseCheck;
  const facts = { checkedAt: at, problems };
  const when = new Date(at).toLocaleString();
  if (problems.length === 0) {
    return { what, state: "ok", detail: `no errors (checked ${when})`, facts };
  }
  const detail = `damaged: ${problems.slice(0, 3).join("; ")} (checked ${when})`;
  return { what, state: "problem", detail, remedy, facts };
}

/** Checks the database of a hub that is not running. */
export function checkStoppedDatabase(folder: string): Check[] {
  const what = "database";
  const problems = checkDatabase(folder);
  if (!problems) return [];
  if (problems.length === 0) return [{ what, state: "ok", detail: "no errors (checked now)" }];
  const detail = `damaged: ${problems.slice(0, 3).join("; ")}`;
  return [{ what, state: "problem", detail, remedy, facts: { problems } }];
}

/** Reports the last backup that the data folder knows about. */
export function checkBackup(folder: string, now: number = Date.now()): Check {
  const what = "backup";
  const last = readLastBackup(folder);
  const make = "Create one (the hub can keep running): signalbox backup FILE";
  if (!last) return { what, state: "ok", detail: "no backup known", remedy: make };
  const facts = { at: last.at, file: last.file };
  const days = Math.floor((now - last.at) / DAY_MS);
  const where = `${last.file}, made ${new Date(last.at).toLocaleString()}`;
  if (!existsSync(last.file)) {
    return {
      what,
      state: "ok",
      detail: `${where}; the file no longer exists`,
      remedy: make,
      facts,
    };
  }
  const isOld = days > OLD_DAYS;
  return { what, state: "ok", detail: where, facts, ...(isOld && { remedy: make }) };
}
