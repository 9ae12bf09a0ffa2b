import { HubError, type NewSession, type Session } from "@signalbox/client";
import { runConfirmed } from "../attach/run-confirmed.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub, type LocalHub } from "../hub/local-hub.ts";
import { pickMachine } from "../hub/machines.ts";
import { readPrompt } from "../hub/prompt.ts";
import { resolveFolder } from "../hub/resolve-folder.ts";
import {
  readSessionOptions,
  sessionOptionFlags,
  sessionOptionHelp,
} from "../hub/session-options.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions } from "../options.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { attachCommand } from "./attach.ts";

export const newCommand: CliCommand = {
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
${sessionOptionHelp}
  --worktree BRANCH  Create a Git worktree on this branch and work in it
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
      ...sessionOptionFlags,
      worktree: text,
      image: texts,
      attach: { type: "boolean" },
    },
  });
  const { folder, machine, title, worktree, attach } = values;
  const prompt = await readPrompt(positionals, values.image ?? []);
  using hub = await connectLocalHub(values.data);
  const runner = machine === undefined ? undefined : pickMachine(await hub.runners(), machine);
  const options: NewSession = {
    folder: resolveFolder(runner, "--folder", folder),
    ...(runner && { runner: runner.id }),
    ...(title !== undefined && { title }),
    ...readSessionOptions(values, (path) => resolveFolder(runner, "--add-dir", path)),
    ...(worktree !== undefined && { worktree }),
    ...(values.policy === "autonomous" && { confirmed: true }),
    ...(prompt && { prompt }),
  };
  const { id } = await create(hub, options);
  console.log(id);
  if (!attach) return exitCode.success;
  return await attachCommand.run([
    id,
    ...(values.data === undefined ? [] : ["--data", values.data]),
  ]);
}

/** Creates the session; options that take an approver are confirmed on an approver's device. */
async function create(hub: LocalHub, options: NewSession): Promise<Session> {
  try {
    return await hub.createSession(options);
  } catch (failure) {
    if (!HubError.is(failure) || failure.code !== "approver-needed") throw failure;
    if (!Keyboard.isAvailable) throw failure;
    const subject =
      options.policy === "autonomous"
        ? "A session that asks for nothing for 8 hours"
        : "This session";
    const elsewhere = `create the session on that device (${hub.url}/new)`;
    return await runConfirmed(hub, { subject, elsewhere }, (approver) =>
      approver.createSession(options),
    );
  }
}
