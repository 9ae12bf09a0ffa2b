import { escapeForTerminal } from "@signalbox/protocol/text";
import type { HubClient, Session } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { resolveDataFolder, getLocalRunnerFolder } from "../hub/data-folder.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { stopLocalRunner } from "../hub/local-runner.ts";
import { pickSession, shortId } from "../hub/pick-session.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const stopCommand: CliCommand = {
  help: `Usage: signalbox stop SESSION...
       signalbox stop --all

Stops the agents of sessions: an agent is interrupted, then asked to exit, then killed, together
with everything that it started. The session stays, and your next message starts it again.

An agent that dialed in was started elsewhere: \`signalbox dial\` ends it, any other agent is only
disconnected. Its session continues when an agent dials in again.

Options:
  --all              Stop all agents, including those that a stopped hub left running
  --park             Mark the sessions as parked instead of stopped
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, all: { type: "boolean" }, park: { type: "boolean" } },
  });
  const all = values.all === true;
  if (all !== (positionals.length === 0)) throw new UsageError("Specify sessions, or --all.");
  const park = values.park === true;
  if (!all) {
    using hub = await connectLocalHub(values.data);
    const sessions = await hub.sessions();
    return await stopEach(
      hub,
      positionals.map((name) => pickSession(sessions, name)),
      park,
    );
  }
  return await stopAll(values.data, park);
}

async function stopAll(data: string | undefined, park: boolean): Promise<ExitCode> {
  let hub: HubClient;
  try {
    hub = await connectLocalHub(data);
  } catch (failure) {
    if (!(failure instanceof CommandError) || failure.exit !== exitCode.notFound) throw failure;
    const ended = await stopLocalRunner(getLocalRunnerFolder(resolveDataFolder(data)));
    console.log(
      ended
        ? "No hub is running. Stopped the runner that it left running, and its agents."
        : "No hub and no agents are running.",
    );
    return exitCode.success;
  }
  using _ = hub;
  const living = (await hub.sessions()).filter(({ state }) =>
    ["starting", "running"].includes(state),
  );
  const ended =
    (await isLocalRunnerOffline(hub)) &&
    (await stopLocalRunner(getLocalRunnerFolder(resolveDataFolder(data))));
  if (ended) {
    console.log(
      "The runner of this machine was not connected to the hub. Stopped it and its agents; the hub starts a new one.",
    );
  } else if (living.length === 0) {
    console.log("No agents are running.");
  }
  return await stopEach(hub, living, park);
}

/** Whether the runner of this machine is not connected, so that the hub cannot stop its agents. */
async function isLocalRunnerOffline(hub: HubClient): Promise<boolean> {
  return (await hub.runners()).some(({ own, online }) => own && !online);
}

async function stopEach(
  hub: HubClient,
  sessions: readonly Session[],
  park: boolean,
): Promise<ExitCode> {
  const ends = sessions.map(async (session) => {
    const { state } = await (park ? hub.park(session.id) : hub.stop(session.id));
    console.log(`${shortId(session)}  ${state}  ${escapeForTerminal(session.title)}`);
  });
  const failed = (await Promise.allSettled(ends)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return exitCode.success;
}
