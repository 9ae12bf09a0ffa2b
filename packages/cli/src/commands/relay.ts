import { resolve } from "node:path";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions } from "../options.ts";

export const relayCommand: CliCommand = {
  help: `Usage: signalbox relay [options]

Creates a session that an agent can dial into, and prints its address and its secret on one line
each. The relay must be on: see \`signalbox config relay\`.

  Claude Code up to 2.1.120:
    CLAUDE_CODE_SESSION_ACCESS_TOKEN=SECRET claude --sdk-url ADDRESS --print \\
      --input-format stream-json --output-format stream-json --verbose \\
      --permission-prompt-tool stdio -p ""
  Any other agent, on any machine:
    SIGNALBOX_DIAL_TOKEN=SECRET signalbox dial ADDRESS -- claude

Options:
  --session ID       Create a new secret for an existing session instead. The old secret stops
                     working, and an agent that used it is disconnected
  --title TITLE      Title of the session
  --folder FOLDER    Folder in which the agent works, until the agent reports it
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const text = { type: "string" } as const;
  const options = { ...dataOption, title: text, folder: text, session: text };
  const { values } = parseOptions({ args, options });
  const { title, folder, session } = values;
  using hub = await connectLocalHub(values.data);
  const { url, secret } = await hub.inviteAgent({
    ...(title !== undefined && { title }),
    ...(folder !== undefined && { folder: resolve(folder) }),
    ...(session !== undefined && { session }),
  });
  console.log(`${url}\n${secret}`);
  return exitCode.success;
}
