import { escapeForTerminal } from "@signalbox/protocol/text";
import type { HubClient, Session } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession, shortId } from "../hub/pick-session.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const switchCommand: CliCommand = {
  help: `Usage: signalbox switch [options] SESSION chat|terminal

Moves a session between chat and Claude Code's own terminal. The conversation stays the same: the
process of one ends, and one of the other takes the conversation up. A session at work is moved
only with one of the options. Watch the terminal with \`signalbox attach --terminal\` or on the
page.

Options:
  --wait             Wait for the end of the turn that runs
  --interrupt        Interrupt the turn that runs
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, wait: { type: "boolean" }, interrupt: { type: "boolean" } },
  });
  const [name, to, ...more] = positionals;
  if (name === undefined || (to !== "chat" && to !== "terminal") || more.length > 0) {
    throw new UsageError("Specify a session, and chat or terminal.");
  }
  const { wait = false, interrupt = false } = values;
  if (wait && interrupt) throw new UsageError("Specify --wait or --interrupt, not both.");
  using hub = await connectLocalHub(values.data);
  const session = pickSession(await hub.sessions(), name);
  const running = wait ? "wait" : interrupt ? "interrupt" : undefined;
  await hub.switchSession(session.id, { to, ...(running && { running }) });
  const { driver, title } = await waitUntilMoved(hub, session.id);
  console.log(`${shortId(session)}  ${to}  ${driver}  ${escapeForTerminal(title)}`);
  return exitCode.success;
}

/** A session at work is moved when its turn is over. */
async function waitUntilMoved(hub: HubClient, id: string): Promise<Session> {
  using board = hub.watchBoard();
  return await new Promise((resolve) => {
    const look = () => {
      const session = board.view.session(id);
      if (session && session.switchingTo === undefined) resolve(session);
    };
    board.subscribe(look);
    look();
  });
}
