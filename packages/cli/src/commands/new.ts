import { escapeForTerminal } from "@signalbox/protocol/text";
import { isAbsolute, resolve } from "node:path";
import type { NewSession } from "@signalbox/client";
import { isolationProfile, policyName, type RunnerView } from "@signalbox/api";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { pickMachine } from "../hub/machines.ts";
import { readPrompt } from "../hub/prompt.ts";
import type { Command } from "../command.ts";
import { parseChoice, parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";
import { attachCommand } from "./attach.ts";

export const newCommand: Command = {
  help: `Usage: signalbox new [options] ["prompt"]

Begins a session on the hub of this machine and prints its id. It goes on without this
terminal. The prompt may be - for standard input.

  --folder FOLDER   where it works; here unless said. The command line starts sessions below
                    the hub's allowed folders alone: your home folder unless set otherwise
                    (Settings on the page, or \`serve --root\`)
  --machine NAME    on which machine, of those that \`signalbox machines\` shows; the hub's own
                    unless said. On another one, folders are named from the root on
  --title TITLE     what it is called; the first prompt unless said
  --agent NAME      one of the agents of the hub's settings
  --driver NAME     how to talk to it: stdio, sdk (the official Agent SDK) or sdk-url
                    (Claude Code up to 2.1.120); that of the agent's settings unless said
  --model NAME      the model to use
  --mode MODE       Claude Code's own permission mode, such as plan
  --effort LEVEL    how hard the model thinks
  --policy POLICY   ${policyName.options.join(", ")}
                    (accept-edits and autonomous take an approver's device)
  --isolation NAME  ${isolationProfile.options.join(", ")}
                    (off takes an approver's device)
  --worktree BRANCH in a worktree of the folder's repository, made for it on this branch
  --add-dir FOLDER  may work there too (may be given several times)
  --image FILE      an image for the prompt (may be given several times)
  --attach          follow it here
${dataHelp}`,
  run,
};

const texts = { type: "string", multiple: true } as const;
const text = { type: "string" } as const;

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      folder: text,
      machine: text,
      title: text,
      agent: text,
      driver: text,
      model: text,
      mode: text,
      effort: text,
      policy: text,
      isolation: text,
      worktree: text,
      "add-dir": texts,
      image: texts,
      attach: { type: "boolean" },
    },
  });
  const { folder, machine, title, agent, driver, model, mode, effort, policy, worktree, attach } =
    values;
  const { isolation } = values;
  const prompt = await readPrompt(positionals, values.image ?? []);
  using hub = await connectLocalHub(values.data);
  const runner = machine === undefined ? undefined : pickMachine(await hub.runners(), machine);
  const pathOn = (path: string | undefined) => resolveFolder(runner, path);
  const options: NewSession = {
    folder: pathOn(folder),
    ...(runner && { runner: runner.id }),
    ...(title !== undefined && { title }),
    ...(agent !== undefined && { agent }),
    ...(driver !== undefined && { driver }),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    ...(effort !== undefined && { effort }),
    ...(policy !== undefined && { policy: parseChoice("--policy", policy, policyName.options) }),
    ...(isolation !== undefined && {
      isolation: parseChoice("--isolation", isolation, isolationProfile.options),
    }),
    ...(worktree !== undefined && { worktree }),
    ...(values["add-dir"] && { addDirs: values["add-dir"].map(pathOn) }),
    ...(prompt && { prompt }),
  };
  const { id } = await hub.createSession(options);
  console.log(id);
  if (!attach) return exitCode.success;
  return await attachCommand.run([
    id,
    ...(values.data === undefined ? [] : ["--data", values.data]),
  ]);
}

/** A folder of this machine may be named from here; one of another machine is named from its root on. */
function resolveFolder(machine: RunnerView | undefined, named: string | undefined): string {
  if (machine === undefined || machine.own) return resolve(named ?? ".");
  if (named !== undefined && isAbsolute(named)) return named;
  const where = escapeForTerminal(machine.machine);
  throw new UsageError(`Name the folder on ${where} from its root on, such as /home/you/project.`);
}
