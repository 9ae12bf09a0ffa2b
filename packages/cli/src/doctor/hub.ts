import { createServer } from "node:net";
import { join } from "node:path";
import { verifyHubIdentity, connect, HubError } from "@signalbox/client";
import type { HubDescriptor, RunnerView } from "@signalbox/api";
import { describeSignatures } from "../hub/describe-signatures.ts";
import { CommandError } from "../command-error.ts";
import { getLocalRunnerFolder } from "../hub/data-folder.ts";
import { getCommandLineCredential, findHub } from "../hub/local-hub.ts";
import type { Check } from "./check.ts";
import { checkStoppedDatabase, checkRunningDatabase } from "./database.ts";

/** The hub, if one runs; otherwise whether its port is free. `database`: it is to check that, too. */
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
    detail: "none runs here",
    remedy: "Start one: signalbox serve",
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
    if (problems.length === 0) return { what, state: "ok", detail: "is sound" };
    const detail = `is damaged: ${problems.slice(0, 3).join("; ")}`;
    const remedy =
      "Copy the data folder to a safe place first; what can be read of it can be read in the page.";
    return { what, state: "problem", detail, remedy };
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    return { what, state: "problem", detail: failure.message };
  }
}

/** Whether the hub wrote every entry of its audit log; undefined: it cannot be asked, which is told elsewhere. */
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
      return { what, state: "ok", detail: `${count} entries fit. ${describeSignatures(verified)}` };
    }
    const remedy = `Entries up to ${broken - 1} hold. What this hub did not sign counts for nothing; look at \`signalbox audit\` and at who could write its data folder.`;
    return { what, state: "problem", detail: why, remedy };
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    return undefined;
  }
}

/** The hub, and its database as the hub last saw it. */
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
    const [told, runners] = await Promise.all([hub.hub(), hub.runners()]);
    const { version, trouble, notAudited = [] } = told;
    const online = runners.filter((runner) => runner.online).length;
    const detail = `${version} at ${found.url}, ${online} of ${runners.length} runners there`;
    const database = checkRunningDatabase(told);
    if (trouble !== null) return [{ what, state: "problem", detail: trouble }, database];
    if (notAudited.length > 0) {
      const written = `somebody has written into its database: ${notAudited.slice(0, 5).join(", ")}`;
      const remedy =
        "What the audit chain does not know counts for nothing. Look at `signalbox audit --verify`, and at what ran here.";
      return [{ what, state: "problem", detail: written, remedy }, database];
    }
    const facts = { url: found.url, version, runners };
    return [
      { what, detail, facts, ...checkRunners(runners, getLocalRunnerFolder(folder)) },
      database,
    ];
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    if (failure.code === "unreachable") return undefined; // its file was left behind
    return [{ what, state: "problem", detail: failure.message }];
  }
}

/** The runner of the hub's own machine has to be there; another machine may be asleep. */
function checkRunners(runners: readonly RunnerView[], folder: string) {
  if (!runners.some(({ own, online }) => own && !online)) return { state: "ok" } as const;
  const remedy = `The runner of this machine is missing, so no agent runs. A hub that has just started gets it within seconds; if not, ${join(folder, "runner.log")} says why, and \`signalbox stop --all\` ends it, so that the hub starts another.`;
  return { state: "problem", remedy } as const;
}

async function checkPort(port: number): Promise<Check[]> {
  const what = `port ${port}`;
  const taken: string[] = [];
  for (const host of ["127.0.0.1", "::1"]) if (await isTaken(host, port)) taken.push(host);
  if (taken.length === 0) return [{ what, state: "ok", detail: "is free" }];
  const detail = `is taken on ${taken.join(" and ")}`;
  const remedy = "Stop what listens there, or start the hub with another --port.";
  return [{ what, state: "problem", detail, remedy }];
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRINUSE"));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}
