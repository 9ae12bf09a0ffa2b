import { escapeForTerminal, splitCommand } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { runLoop, type LoopEnd, type LoopTurn, type NewSession } from "@signalbox/client";
import { policyName } from "@signalbox/api/schemas";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { readPrompt } from "../hub/prompt.ts";
import type { CliCommand } from "../command.ts";
import { parseChoice, parseOptions, parsePositiveNumber } from "../options.ts";
import { UsageError } from "../usage-error.ts";
import { formatCount } from "../run/describe-tool.ts";

/** The command line is a driver, which may not choose a policy that is less strict than default. */
const policies = policyName.exclude(["accept-edits", "autonomous"]).options;

export const loopCommand: CliCommand = {
  help: `Usage: signalbox loop [options] "task"

Sends the task to a session, waits until the turn and its background work have ended, and sends
it again. The turns are visible in the page, where you also answer requests. Use - as the task to
read it from standard input.

Options:
  --turns N          Maximum number of turns (default: 1, or no limit with --until)
  --until COMMAND    Run COMMAND after each turn and stop when it succeeds. COMMAND is a program
                     with arguments, not a shell line; for one of those use sh -c '...'
  --fresh            Run each turn in a new session
  --max-cost USD     Start no further turn after this amount has been spent
  --max-minutes N    After N minutes, interrupt the turn, stop background work and end
  --folder FOLDER    Folder in which the agent works (default: current folder)
  --agent NAME       Agent from the hub's settings
  --driver NAME      Driver for the agent: stdio, sdk or sdk-url
  --model NAME       Model to use
  --policy POLICY    Permission policy: ${policies.join(", ")}. Set accept-edits and
                     autonomous on the page, on an approver's device
  --json             Print the summary as one JSON object
${dataHelp}

Exit code: 0 the command of --until succeeded, or all turns ended without --until; 1 a turn
failed, a limit was reached, or the command never succeeded; 130 interrupted.`,
  run,
};

const text = { type: "string" } as const;

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      turns: text,
      until: text,
      fresh: { type: "boolean" },
      "max-cost": text,
      "max-minutes": text,
      folder: text,
      agent: text,
      driver: text,
      model: text,
      policy: text,
      json: { type: "boolean" },
    },
  });
  const { agent, driver, model, policy } = values;
  const prompt = await readPrompt(positionals, []);
  if (!prompt) throw new UsageError('Specify a task: signalbox loop "task".');
  const folder = resolve(values.folder ?? ".");
  const session: NewSession = {
    folder,
    ...(agent !== undefined && { agent }),
    ...(driver !== undefined && { driver }),
    ...(model !== undefined && { model }),
    ...(policy !== undefined && { policy: parsePolicy(policy) }),
  };
  const turns = parseLimit("--turns", values.turns);
  const minutes = parseLimit("--max-minutes", values["max-minutes"]);
  const maxCostUsd = parseLimit("--max-cost", values["max-cost"]);
  const check = values.until === undefined ? undefined : splitCommand(values.until);
  if (check?.length === 0) throw new UsageError("--until needs a command.");
  const [program = ""] = check ?? [];
  if (check && !Bun.which(program, { cwd: folder, PATH: process.env["PATH"] ?? "" })) {
    throw new UsageError(`--until: Couldn't find the program "${escapeForTerminal(program)}".`);
  }
  using hub = await connectLocalHub(values.data);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted")));
  const end = await runLoop(hub, {
    task: prompt.text,
    session,
    signal: stop.signal,
    fresh: values.fresh === true,
    ...(turns !== undefined && { turns }),
    ...(check && { until: (signal) => runCheck(check, folder, signal) }),
    ...(maxCostUsd !== undefined && { maxCostUsd }),
    ...(minutes !== undefined && { maxMs: minutes * 60_000 }),
    onTurn: (turn) => console.error(formatTurn(turn)),
    onAsks: ({ title }) =>
      console.error(`▲ Needs you: "${escapeForTerminal(title)}". Answer on the page.`),
  });
  console.log(values.json === true ? formatJsonLine(end) : formatSummary(end, check !== undefined));
  return getLoopExitCode(end, check !== undefined);
}

function getLoopExitCode({ why }: LoopEnd, hasCheck: boolean): ExitCode {
  if (why === "aborted") return exitCode.interrupted;
  const isDone = why === "until" || (why === "turns" && !hasCheck);
  return isDone ? exitCode.success : exitCode.agentError;
}

function parsePolicy(wanted: string) {
  if (wanted !== "autonomous" && wanted !== "accept-edits") {
    return parseChoice("--policy", wanted, policies);
  }
  throw new UsageError(
    `The policy ${wanted} cannot be set from a terminal. Start with another policy, then change it for the session on the page, on an approver's device.`,
  );
}

/** Runs the command of --until. Its output goes to standard error, because standard output has the summary. */
async function runCheck(
  words: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<boolean> {
  const [program = "", ...args] = words;
  const stdio = ["ignore", process.stderr, process.stderr] as const;
  const child = spawn(program, args, { cwd, signal, stdio: [...stdio] });
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    return code === 0;
  } catch (failure) {
    if (signal.aborted) return false;
    throw new UsageError(`--until: Couldn't run the command: ${(failure as Error).message}`);
  }
}

function formatTurn({ nth, session, how, costUsd, ms, problem }: LoopTurn): string {
  const why = problem === undefined ? "" : `: ${escapeForTerminal(problem)}`;
  const cost = `$${costUsd.toFixed(4)}, ${(ms / 1000).toFixed(1)} s`;
  return `turn ${nth} ${how} (${cost}, session ${session.slice(0, 8)})${why}`;
}

const endReasons: Record<LoopEnd["why"], string> = {
  turns: "all turns ended",
  until: "the command succeeded",
  cost: "the cost limit was reached",
  time: "the time limit was reached",
  failed: "a turn failed",
  aborted: "interrupted",
};

function formatSummary({ why, turns, costUsd, ms }: LoopEnd, hasCheck: boolean): string {
  const sessions = new Set(turns.map(({ session }) => session));
  return [
    `${formatCount(turns.length, "turn")}, $${costUsd.toFixed(4)}, ${(ms / 1000).toFixed(1)} s: ${endReasons[why]}${why === "turns" && hasCheck ? ", and the command never succeeded" : ""}.`,
    ...[...sessions].map((id) => `session ${id}`),
  ].join("\n");
}

function parseLimit(flag: string, value: string | undefined): number | undefined {
  return value === undefined ? undefined : parsePositiveNumber(flag, value);
}
