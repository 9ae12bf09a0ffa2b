import { escapeForTerminal } from "@signalbox/protocol/text";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession, shortId } from "../hub/pick-session.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions, requireOneArgument } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const restartCommand: CliCommand = {
  help: `Usage: signalbox restart [options] SESSION

Starts the agent of a session again and continues the conversation. A running agent is stopped
first. A session whose agent has crashed never restarts by itself: restart it, retry its last
message, or send another one.

Options:
  --retry            Continue from the last good message and send the last prompt again. What the
                     agent did after it is no longer part of the conversation
  --fresh            With --retry: start a new conversation with the last prompt
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, retry: { type: "boolean" }, fresh: { type: "boolean" } },
  });
  const name = requireOneArgument(positionals, "Specify one session.");
  const fresh = values.fresh === true;
  if (fresh && values.retry !== true) throw new UsageError("--fresh needs --retry.");
  using hub = await connectLocalHub(values.data);
  const session = pickSession(await hub.sessions(), name);
  const { id } = session;
  if (values.retry === true) {
    await hub.retry(id, { fresh });
  } else {
    if (session.state === "running" || session.state === "starting") await hub.stop(id);
    await hub.wake(id);
  }
  const { state, title } = await hub.session(id);
  console.log(`${shortId(session)}  ${state}  ${escapeForTerminal(title)}`);
  return exitCode.success;
}
