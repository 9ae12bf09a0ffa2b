import { createServer } from "node:net";
import { checkIdentity, connect, HubError } from "@signalbox/client";
import type { HubDescriptor } from "@signalbox/protocol";
import { Failure } from "../failure.ts";
import { readDescriptor } from "../hub/local-hub.ts";
import type { Check } from "./check.ts";

/** The hub, if one runs; otherwise whether its port is free. */
export async function hubChecks(folder: string, port: number): Promise<Check[]> {
  let found: HubDescriptor | undefined;
  try {
    found = readDescriptor(folder);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return [{ what: "hub", state: "problem", detail: failure.message }];
  }
  const running = found && (await runningHub(found));
  if (running) return [running];
  const none: Check = {
    what: "hub",
    state: "ok",
    detail: "none runs here",
    remedy: "Start one: signalbox serve",
  };
  return [none, ...(await portChecks(port))];
}

async function runningHub(found: HubDescriptor): Promise<Check | undefined> {
  const what = "hub";
  try {
    await checkIdentity(found);
    using hub = connect({ url: found.url, token: found.token, tries: 1 });
    const [facts, runners] = await Promise.all([hub.hub(), hub.runners()]);
    const { version, trouble } = facts;
    const online = runners.filter((runner) => runner.online).length;
    const detail = `${version} at ${found.url}, ${online} of ${runners.length} runners there`;
    if (trouble !== null) return { what, state: "problem", detail: trouble };
    return { what, state: "ok", detail, facts: { url: found.url, version, runners } };
  } catch (failure) {
    if (!HubError.is(failure)) throw failure;
    if (failure.code === "unreachable") return undefined; // its file was left behind
    return { what, state: "problem", detail: failure.message };
  }
}

async function portChecks(port: number): Promise<Check[]> {
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
