import { text } from "node:stream/consumers";
import { isolationProfile } from "@signalbox/api/schemas";
import { type Launch, policies, type Policy } from "@signalbox/host";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { CliCommand } from "../command.ts";
import { parseChoice, parseOptions } from "../options.ts";
import { readImage } from "../read-image.ts";
import { confirmAutonomous } from "../run/confirm-autonomous.ts";
import { openDemo } from "../run/demo.ts";
import { askFolderTrust } from "../run/folder-trust.ts";
import { SingleTurn } from "../run/single-turn.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { UsageError } from "../usage-error.ts";

const outputs = ["text", "json", "lines", "events"] as const;

export const runCommand: CliCommand = {
  help: `Usage: signalbox run [options] "prompt"

Runs one prompt with Claude Code in the current folder, without a hub, and prints the answer on
standard output and everything else on standard error. Permission requests appear on the terminal,
and so does the question whether code that the folder brings (hooks, MCP servers, settings) may
run; without a terminal that code stays off. Without a prompt, reads standard input.

Options:
  --output FORMAT         text: the answer as it is written (default); json: one object at the
                          end; lines: every line of the agent; events: what the lines mean
  --demo                  Use a scripted model: no account, no network
  --resume ID             Continue a conversation
  --fork                  With --resume: continue in a copy of the conversation
  --continue              Continue the newest conversation of this folder
  --model NAME            Model to use
  --permission-mode MODE  Permission mode of Claude Code, such as acceptEdits or plan
  --policy POLICY         Permission policy: ${Object.keys(policies).join(", ")}
  --yes-autonomous        Do not ask for confirmation of the policy autonomous
  --isolation NAME        Isolation profile: ${isolationProfile.options.join(", ")}
  --allowed-tools LIST    Tools that need no permission, such as "Bash(git *),Edit"
  --image FILE            Image to add to the prompt (repeatable)
  --folder FOLDER         Folder in which the agent works (default: current folder)
  --agent PATH            Claude Code program to run

Exit code: ${exitCode.success} success, ${exitCode.agentError} the agent failed, ${exitCode.usage} invalid usage, ${exitCode.refused} something was denied,
${exitCode.notFound} not found (Claude Code, the folder or the conversation), ${exitCode.interrupted} interrupted.`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parse(args);
  const output = parseChoice("--output", values.output, outputs);
  const policy = parseChoice(
    "--policy",
    values.policy ?? "default",
    Object.keys(policies) as Policy[],
  );
  if (values.fork && values.resume === undefined) throw new UsageError("--fork requires --resume.");
  if (values.continue && values.resume !== undefined) {
    throw new UsageError("Use either --continue or --resume.");
  }
  const images = (values.image ?? []).map(readImage);
  const prompt = await readPromptText(positionals, values.demo === true);
  if (!(await confirmAutonomous(policy, values["yes-autonomous"] === true))) {
    return exitCode.refused;
  }
  const named = {
    ...(values.folder !== undefined && { folder: values.folder }),
    ...(values.agent !== undefined && { agentPath: values.agent }),
  };
  const chosen = values["permission-mode"] ?? values.policy ?? values.folder;
  const mayEdit = chosen === undefined && !Keyboard.isAvailable;
  await using demo = values.demo ? await openDemo({ ...named, mayEdit }) : undefined;
  const { isolation } = values;
  const launch: Launch = {
    folder: process.cwd(),
    ...named,
    ...demo?.launch,
    ...(values.model !== undefined && { model: values.model }),
    ...(values["permission-mode"] !== undefined && { permissionMode: values["permission-mode"] }),
    ...(values["allowed-tools"] && { allowedTools: values["allowed-tools"] }),
    ...(isolation !== undefined && {
      isolation: parseChoice("--isolation", isolation, isolationProfile.options),
    }),
    ...(values.continue && { continue: true }),
    ...(values.resume !== undefined && {
      resume: { id: values.resume, fork: values.fork === true },
    }),
  };
  const remarks = demo?.remarks ?? [];
  const trust = await askFolderTrust(launch);
  const turn = new SingleTurn({ output, policy, remarks, priced: demo === undefined });
  return await turn.run(launch, { text: prompt, images }, trust);
}

function parse(args: string[]) {
  return parseOptions({
    args,
    allowPositionals: true,
    options: {
      output: { type: "string", default: "text" },
      demo: { type: "boolean" },
      resume: { type: "string" },
      fork: { type: "boolean" },
      continue: { type: "boolean" },
      model: { type: "string" },
      "permission-mode": { type: "string" },
      policy: { type: "string" },
      isolation: { type: "string" },
      "yes-autonomous": { type: "boolean" },
      "allowed-tools": { type: "string", multiple: true },
      image: { type: "string", multiple: true },
      folder: { type: "string" },
      agent: { type: "string" },
    },
  });
}

async function readPromptText(positionals: string[], demo: boolean): Promise<string> {
  const given = positionals.join(" ");
  if (given !== "") return given;
  if (demo && process.stdin.isTTY) return "Show me what you can do.";
  if (!process.stdin.isTTY) {
    const piped = (await text(process.stdin)).trim();
    if (piped !== "") return piped;
    if (demo) return "Show me what you can do.";
  }
  throw new UsageError('Specify a prompt: signalbox run "prompt", or pipe one to standard input.');
}
