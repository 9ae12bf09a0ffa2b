import { SessionFollower } from "../attach/session-follower.ts";
import type { ExitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import type { CliCommand } from "../command.ts";
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
    },
  });
  const name = requireOneArgument(positionals, "Specify one session.");
  const tail = parseInteger("--tail", values.tail, 1000);
  using hub = await connectLocalHub(values.data);
  const { id } = pickSession(await hub.sessions(), name);
  return await new SessionFollower(hub, id, {
    untilIdle: values["until-idle"] === true,
    tail,
  }).follow();
}
