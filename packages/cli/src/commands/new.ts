import { resolve } from "node:path";
import type { NewSession } from "@signalbox/client";
import { isolationProfile, policyName } from "@signalbox/protocol";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, localHub } from "../hub/local-hub.ts";
import { promptFrom } from "../hub/prompt.ts";
import type { Command } from "../main.ts";
import { oneOf, parsed } from "../options.ts";
import { attachCommand } from "./attach.ts";

export const newCommand: Command = {
  help: `Usage: signalbox new [options] ["prompt"]

Begins a session on the hub of this machine and prints its id. It goes on without this
terminal. The prompt may be - for standard input.

  --folder FOLDER   where it works; here unless said. The command line starts sessions below
                    the hub's allowed folders alone: your home folder unless set otherwise
                    (Settings on the page, or \`serve --root\`)
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
  const { values, positionals } = parsed({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      folder: text,
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
  const { folder, title, agent, driver, model, mode, effort, policy, worktree, attach } = values;
  const { isolation } = values;
  const prompt = await promptFrom(positionals, values.image ?? []);
  const options: NewSession = {
    folder: resolve(folder ?? "."),
    ...(title !== undefined && { title }),
    ...(agent !== undefined && { agent }),
    ...(driver !== undefined && { driver }),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    ...(effort !== undefined && { effort }),
    ...(policy !== undefined && { policy: oneOf("--policy", policy, policyName.options) }),
    ...(isolation !== undefined && {
      isolation: oneOf("--isolation", isolation, isolationProfile.options),
    }),
    ...(worktree !== undefined && { worktree }),
    ...(values["add-dir"] && { addDirs: values["add-dir"].map((path) => resolve(path)) }),
    ...(prompt && { prompt }),
  };
  using hub = await localHub(values.data);
  const { id } = await hub.createSession(options);
  console.log(id);
  if (!attach) return exitCode.success;
  return await attachCommand.run([
    id,
    ...(values.data === undefined ? [] : ["--data", values.data]),
  ]);
}
