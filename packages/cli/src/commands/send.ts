import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import { readContext } from "../hub/prompt-context.ts";
import { readPrompt } from "../hub/prompt.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const sendCommand: CliCommand = {
  help: `Usage: signalbox send SESSION [options] "message"

Sends a message to a session. SESSION is the start of its id, or its title. The hub keeps the
message until the agent has it, even if the hub restarts. A session that is parked, stopped or
failed starts again. Use - as the message to read it from standard input.

Options:
  --now              Send into the running turn instead of queueing
  --image FILE       Image to add to the message (repeatable)
  --context JSON     Context that the agent receives as text before the message, as JSON or the
                     name of a JSON file: {"title": "Slide 3", "data": {"view": "slides"}}
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
      context: { type: "string" },
    },
  });
  const [name, ...words] = positionals;
  if (name === undefined) throw new UsageError("Specify a session and a message.");
  const prompt = await readPrompt(words, values.image ?? []);
  if (!prompt) throw new UsageError('Specify a message: signalbox send SESSION "message".');
  using hub = await connectLocalHub(values.data);
  const session = pickSession(await hub.sessions(), name);
  const { id } = await hub.send(session.id, {
    ...prompt,
    ...(values.context !== undefined && { context: readContext(values.context) }),
    ...(values.now && { now: true }),
  });
  console.log(id);
  return exitCode.success;
}
