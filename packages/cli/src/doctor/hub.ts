import { createServer } from "node:net";
import { join } from "node:path";
import { verifyHubIdentity, connect, HubError } from "@signalbox/client";
import type { HubDescriptor, RunnerView } from "@signalbox/api";
import { describeSignatures } from "../hub/describe-signatures.ts";
import { CommandError } from "../command-error.ts";
import { getLocalRunnerFolder } from "../hub/data-folder.ts";
import { getCommandLineCredential, findHub } from "../hub/local-hub.ts";
import { formatCount } from "../run/describe-tool.ts";
import type { Check } from "./check.ts";
import { checkStoppedDatabase, checkRunningDatabase } from "./database.ts";

/** Checks the hub if one is running, otherwise its port. With `database`, the hub checks its database as well. */
export async function checkHub(folder: string, port: number, database: boolean): Promise<Check[]> {
  let found: HubDescriptor | undefined;
  try {
    found = findHub(folder);
  } catch (failure) {
    if (!(failure instanceof CommandError)) throw failure;
    return [{ what: "hub", state: "problem", detail: failure.message }];
  }
  const running = found && (await checkRunningHub(folder, found));
  if (found && running) {
    const [hub, seen] = running;
    return [
      hub,
      database ? await checkDatabase(folder, found) : seen,
      await checkAuditLog(folder, found),
    ].filter((check) => check !== undefined);
  }
  const none: Check = {
    what: "hub",
    state: "ok",
    detail: "not running",
    remedy: "Start it: signalbox serve",
  };
  return [none, ...checkStoppedDatabase(folder), ...(await checkPort(port))];
}

async function checkDatabase(folder: string, found: HubDescriptor): Promise<Check> {
  const what = "database";
  try {
    using hub = connect({
      url: found.url,
      device: await getCommandLineCredential(folder, found),
      tries: 1,
    });
    const problems = await hub.integrity();
    if (problems.length === 0) return { what, state: "ok", detail: "no errors" };
    const detail = `damaged: ${problems.slice(0, 3).join("; ")}`;
    const remedy =
      "Copy the data folder to a safe place first. Everything that is still readable is shown on the page.";
    return { what, state: "problem", detail, remedy };
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    return { what, state: "problem", detail: failure.message };
  }
}

/** Checks whether the hub wrote every entry of its audit log; undefined if it cannot be asked. */
async function checkAuditLog(folder: string, found: HubDescriptor): Promise<Check | undefined> {
  const what = "audit log";
  try {
    using hub = connect({
      url: found.url,
      device: await getCommandLineCredential(folder, found),
      tries: 1,
    });
    const { verified } = await hub.audit({ limit: 1, verify: true });
    if (!verified) return undefined;
    const { count, broken, why = "" } = verified;
    if (broken === null) {
      return {
        what,
        state: "ok",
        detail: `verified, ${formatCount(count, "entry", "entries")}. ${describeSignatures(verified)}`,
      };
    }
    const remedy = `Entries up to ${broken - 1} are valid. Do not trust entries that the hub did not sign. Check \`signalbox audit\`, and who could write to the data folder.`;
    return { what, state: "problem", detail: why, remedy };
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    return undefined;
  }
}

/** Checks the running hub, and reports its last check of the database. */
async function checkRunningHub(
  folder: string,
  found: HubDescriptor,
): Promise<readonly [hub: Check, database?: Check] | undefined> {
  const what = "hub";
  try {
    await verifyHubIdentity(found);
    using hub = connect({
      url: found.url,
      device: await getCommandLineCredential(folder, found),
      tries: 1,
    });
    const [hubInfo, runners] = await Promise.all([hub.hub(), hub.runners()]);
    const { version, trouble, notAudited = [] } = hubInfo;
    const online = runners.filter((runner) => runner.online).length;
    const detail = `${version} at ${found.url}, ${online} of ${formatCount(runners.length, "runner")} connected`;
    const database = checkRunningDatabase(hubInfo);
    if (trouble !== null) return [{ what, state: "problem", detail: trouble }, database];
    if (notAudited.length > 0) {
      const written = `another program has changed the database: ${notAudited.slice(0, 5).join(", ")}`;
      const remedy =
        "Entries that are not in the audit log are ignored. Check `signalbox audit --verify`, and which programs ran on this machine.";
      return [{ what, state: "problem", detail: written, remedy }, database];
    }
    const facts = { url: found.url, version, runners };
    return [
      { what, detail, facts, ...checkRunners(runners, getLocalRunnerFolder(folder)) },
      database,
    ];
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    if (failure.code === "unreachable") return undefined; // the descriptor is left from a hub that has ended
    return [{ what, state: "problem", detail: failure.message }];
  }
}

/** The runner of the hub's machine has to be connected; another machine may be asleep. */
function checkRunners(runners: readonly RunnerView[], folder: string) {
  if (!runners.some(({ own, online }) => own && !online)) return { state: "ok" } as const;
  const remedy = `The runner of this machine is not connected, so no agents can run. After a start of the hub this takes a few seconds. Otherwise check ${join(folder, "runner.log")}, and run \`signalbox stop --all\` so that the hub starts a new runner.`;
  return { state: "problem", remedy } as const;
}

async function checkPort(port: number): Promise<Check[]> {
  const what = `port ${port}`;
  const taken: string[] = [];
  for (const host of ["127.0.0.1", "::1"]) if (await isTaken(host, port)) taken.push(host);
  if (taken.length === 0) return [{ what, state: "ok", detail: "available" }];
  const detail = `in use on ${taken.join(" and ")}`;
  const remedy = "Stop the program that uses it, or start the hub with another --port.";
  return [{ what, state: "problem", detail, remedy }];
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRINUSE"));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}
