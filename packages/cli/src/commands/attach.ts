import { SessionFollower } from "../attach/session-follower.ts";
import type { Session } from "@signalbox/client";
import { runConfirmed } from "../attach/run-confirmed.ts";
import { attachToTerminal, requireAgentTerminal } from "../attach/terminal-attachment.ts";
import type { ExitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub, type LocalHub } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import type { CliCommand } from "../command.ts";
import { UsageError } from "../usage-error.ts";
import { parseInteger, parseOptions, requireOneArgument } from "../options.ts";

export const attachCommand: CliCommand = {
  help: `Usage: signalbox attach SESSION [options]

Follows a session and sends what you type. SESSION is the start of its id, or its title. Press
Enter while the agent works to queue a follow-up message. Ctrl-C interrupts the turn; when no
turn is running, it detaches. The session keeps running without this terminal.

Requests are shown as they arrive. To answer them here, confirm this terminal on an approver's
device, such as the page, by the two words that both show.

Options:
  --until-idle       Detach when the agent has finished
  --tail N           Number of earlier items to show (default: 20)
  --terminal         Show Claude Code's own terminal, of a session that runs in it (\`signalbox
                     switch\`). Ctrl+] detaches. To type, confirm this terminal first
  --watch            With --terminal: do not ask for the right to type
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      "until-idle": { type: "boolean" },
      tail: { type: "string", default: "20" },
      terminal: { type: "boolean" },
      watch: { type: "boolean" },
    },
  });
  const { terminal = false, watch = false } = values;
  if (watch && !terminal) throw new UsageError("--watch needs --terminal.");
  const name = requireOneArgument(positionals, "Specify one session.");
  const tail = parseInteger("--tail", values.tail, 1000);
  using hub = await connectLocalHub(values.data);
  const session = pickSession(await hub.sessions(), name);
  if (terminal) return await attachTerminal(hub, session, watch);
  const { id } = session;
  return await new SessionFollower(hub, id, {
    untilIdle: values["until-idle"] === true,
    tail,
  }).follow();
}

/** Typing into a terminal takes an approver, who confirms this one. */
async function attachTerminal(hub: LocalHub, session: Session, watch: boolean): Promise<ExitCode> {
  const shown = await requireAgentTerminal(hub, session);
  if (watch) return attachToTerminal(hub, shown, session, false);
  const needs = {
    subject: "Typing into a terminal",
    elsewhere: "watch without typing, with --watch",
  };
  return runConfirmed(hub, needs, (confirmed) => attachToTerminal(confirmed, shown, session, true));
}
