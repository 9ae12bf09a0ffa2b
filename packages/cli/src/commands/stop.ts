import { escapeForTerminal } from "@signalbox/protocol/text";
import type { HubClient, Session } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { resolveDataFolder, getLocalRunnerFolder } from "../hub/data-folder.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { stopLocalRunner } from "../hub/local-runner.ts";
import { pickSession, shortId } from "../hub/pick-session.ts";
import type { Command } from "../command.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const stopCommand: Command = {
  help: `Usage: signalbox stop SESSION… | --all

Ends the agent's process: it is interrupted, then asked, then killed, with all it started. The
session stays, and the next message starts it again.

An agent that dialled in was started by somebody else: \`signalbox dial\` ends it when it is told
to, any other is only hung up on. Its session goes on when an agent dials in.

  --all             all agents; also those that a hub left running which is gone
  --park            say that it is only to rest
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
  if (all !== (positionals.length === 0)) throw new UsageError("Name sessions, or say --all.");
  const park = values.park === true;
  if (!all) {
    using hub = await connectLocalHub(values.data);
    const sessions = await hub.sessions();
    return await stopEach(
      hub,
      positionals.map((meant) => pickSession(sessions, meant)),
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
        ? "No hub runs here; the runner that one had left was ended, with its agents."
        : "No hub runs here, and it has left no agents.",
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
      "The runner of this machine was not connected to the hub; it was ended, with its agents. The hub starts another.",
    );
  } else if (living.length === 0) {
    console.log("No agent runs.");
  }
  return await stopEach(hub, living, park);
}

/** Then its agents are not the hub's to end. */
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
