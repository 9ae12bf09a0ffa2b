import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import { readPrompt } from "../hub/prompt.ts";
import type { Command } from "../command.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const sendCommand: Command = {
  help: `Usage: signalbox send SESSION [options] "message"

Sends a message to a session: named by the beginning of its id, or by its title. Accepted, it
is kept until the agent has it, also over a restart of the hub. A session that is parked, was
stopped or has failed starts again. The message may be - for standard input.

  --now             into the turn that runs, instead of after it
  --image FILE      an image (may be given several times)
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      now: { type: "boolean" },
      image: { type: "string", multiple: true },
    },
  });
  const [meant, ...words] = positionals;
  if (meant === undefined) throw new UsageError("Name a session and a message.");
  const prompt = await readPrompt(words, values.image ?? []);
  if (!prompt) throw new UsageError('A message is missing: signalbox send SESSION "message".');
  using hub = await connectLocalHub(values.data);
  const session = pickSession(await hub.sessions(), meant);
  const { id } = await hub.send(session.id, { ...prompt, ...(values.now && { now: true }) });
  console.log(id);
  return exitCode.success;
}
