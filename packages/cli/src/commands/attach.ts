import { SessionFollower } from "../attach/session-follower.ts";
import type { ExitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import type { Command } from "../command.ts";
import { parseInteger, parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const attachCommand: Command = {
  help: `Usage: signalbox attach SESSION [options]

Shows what happens in a session, named by the beginning of its id or by its title, and sends
what is typed. Enter while the agent works takes a message for afterwards. Ctrl-C interrupts
the turn, and leaves when none runs; the session goes on without this terminal.

Asks are shown. They can be answered here once an approver's device, such as the page, has
confirmed this terminal by the two words that are shown on both.

  --until-idle      leave when the agent has nothing more to do
  --tail N          how much of what was before is shown (default 20)
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
  const [meant, ...more] = positionals;
  if (meant === undefined || more.length > 0) throw new UsageError("Name one session.");
  const tail = parseInteger("--tail", values.tail, 1000);
  using hub = await connectLocalHub(values.data);
  const { id } = pickSession(await hub.sessions(), meant);
  return await new SessionFollower(hub, id, {
    untilIdle: values["until-idle"] === true,
    tail,
  }).follow();
}
