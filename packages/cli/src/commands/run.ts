import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { isolationProfile } from "@signalbox/api";
import { type Launch, policies, type Policy } from "@signalbox/host";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Command } from "../command.ts";
import { parseChoice } from "../options.ts";
import { readImage } from "../read-image.ts";
import { confirmAutonomous } from "../run/confirm-autonomous.ts";
import { openDemo } from "../run/demo.ts";
import { askFolderTrust } from "../run/folder-trust.ts";
import { SingleTurn } from "../run/single-turn.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { UsageError } from "../usage-error.ts";

const outputs = ["text", "json", "lines", "events"] as const;

export const runCommand: Command = {
  help: `Usage: signalbox run [options] "prompt"

Runs one prompt with Claude Code in the current folder, without a server. Asks permissions
on the terminal, also whether code that the folder itself brings may run (hooks, MCP servers, its
settings); where nobody can be asked, that stays off. Without a prompt it is read from standard input.

  --output FORM             text: the answer as it comes (default); json: one object at the end;
                            lines: every line of the agent's as it came; events: what they mean
  --demo                    the real Claude Code with a scripted model: no account, no network
  --resume ID               go on with a conversation; --fork: with a copy of it
  --continue                go on with the newest conversation of this folder
  --model NAME              the model to use
  --permission-mode MODE    Claude Code's own mode, such as acceptEdits or plan
  --policy POLICY           ${Object.keys(policies).join(", ")}
  --isolation NAME          ${isolationProfile.options.join(", ")}
  --yes-autonomous          the policy autonomous is wanted: do not ask about it
  --allowed-tools LIST      tools that need no asking, such as "Bash(git *),Edit"
  --image FILE              an image for the prompt (may be given several times)
  --folder FOLDER           work there instead of here
  --agent PATH              the Claude Code to run

The answer goes to standard output, all else to standard error.

Exit code: ${exitCode.success} success, ${exitCode.agentError} the agent failed, ${exitCode.usage} wrong usage, ${exitCode.refused} something was refused,
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
  if (values.fork && values.resume === undefined) throw new UsageError("--fork needs --resume.");
  if (values.continue && values.resume !== undefined) {
    throw new UsageError("--continue and --resume exclude each other.");
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
  try {
    return parseArgs({
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
  } catch (failure) {
    throw UsageError.fromParseError(failure);
  }
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
  throw new UsageError('A prompt is missing: signalbox run "what to do", or pipe it in.');
}
