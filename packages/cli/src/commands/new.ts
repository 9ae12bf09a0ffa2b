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

Creates a session on the hub of this machine and prints its id. The session keeps running without
this terminal. Use - as the prompt to read it from standard input.

Options:
  --folder FOLDER    Folder in which the agent works (default: current folder). It must be below
                     an allowed folder: your home folder, unless changed on the page under
                     Settings or with \`signalbox serve --root\`
  --machine NAME     Machine to run on, as \`signalbox machines\` lists it (default: the machine of
                     the hub). Folders on another machine must be absolute paths
  --title TITLE      Title of the session (default: the first prompt)
  --agent NAME       Agent from the hub's settings
  --driver NAME      Driver for the agent: stdio, sdk (the official Agent SDK) or sdk-url (Claude
                     Code up to 2.1.120) (default: the driver in the agent's settings)
  --model NAME       Model to use
  --mode MODE        Permission mode of Claude Code, such as plan
  --effort LEVEL     Effort level of the model
  --policy POLICY    Permission policy: ${policyName.options.join(", ")}
                     (accept-edits and autonomous need an approver's device)
  --isolation NAME   Isolation profile: ${isolationProfile.options.join(", ")}
                     (off needs an approver's device)
  --worktree BRANCH  Create a Git worktree on this branch and work in it
  --add-dir FOLDER   Additional folder that the agent may use (repeatable)
  --image FILE       Image to add to the prompt (repeatable)
  --attach           Follow the session in this terminal
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

/** Resolves a folder on this machine; a folder on another machine has to be an absolute path. */
function resolveFolder(machine: RunnerView | undefined, named: string | undefined): string {
  if (machine === undefined || machine.own) return resolve(named ?? ".");
  if (named !== undefined && isAbsolute(named)) return named;
  const where = escapeForTerminal(machine.machine);
  throw new UsageError(`--folder must be an absolute path on ${where}, such as /home/you/project.`);
}
