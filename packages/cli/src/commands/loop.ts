import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { runLoop, type LoopEnd, type LoopTurn, type NewSession } from "@signalbox/client";
import { policyName } from "@signalbox/api";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { readPrompt } from "../hub/prompt.ts";
import type { Command } from "../command.ts";
import { parseChoice, parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";
import { splitCommand } from "../split-command.ts";

/** A terminal's device is a driver, which may not choose a policy looser than default. */
const policies = policyName.exclude(["accept-edits", "autonomous"]).options;

export const loopCommand: Command = {
  help: `Usage: signalbox loop [options] "task"

Sends the task to a session of the hub, waits for the turn's real end (work in the background
included), and sends it again. Every turn is seen in the page, and asks are answered there. The
task may be - for standard input.

  --turns N         at most N turns; one unless --until is given
  --until COMMAND   run COMMAND after each turn, and stop when it succeeds. It is a program
                    with its arguments, not a shell's line: for that use sh -c '…'
  --fresh           each turn in a session of its own
  --max-cost USD    begin no turn once this has been spent
  --max-minutes N   interrupt the turn that runs then, end what works in the background, and stop
  --folder FOLDER   where it works; here unless said
  --agent NAME, --driver NAME, --model NAME
  --policy POLICY   ${policies.join(", ")}; accept-edits and autonomous are
                    set on the page, by an approver's device
  --json            the summary as one JSON object
${dataHelp}

Exit codes: 0 the command of --until succeeded, or without it all turns are done; 1 a turn
failed, a limit was reached, or all turns are done and the command never succeeded; 130
interrupted.`,
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
  if (!prompt) throw new UsageError("Say what the task is.");
  const folder = resolve(values.folder ?? ".");
  const session: NewSession = {
    folder,
    ...(agent !== undefined && { agent }),
    ...(driver !== undefined && { driver }),
    ...(model !== undefined && { model }),
    ...(policy !== undefined && { policy: parsePolicy(policy) }),
  };
  const turns = parsePositiveNumber("--turns", values.turns);
  const minutes = parsePositiveNumber("--max-minutes", values["max-minutes"]);
  const maxCostUsd = parsePositiveNumber("--max-cost", values["max-cost"]);
  const check = values.until === undefined ? undefined : splitCommand(values.until);
  if (check?.length === 0) throw new UsageError("--until needs a command.");
  const [program = ""] = check ?? [];
  if (check && !Bun.which(program, { cwd: folder, PATH: process.env["PATH"] ?? "" })) {
    throw new UsageError(`--until: the program "${escapeForTerminal(program)}" was not found.`);
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
      console.error(`▲ "${escapeForTerminal(title)}" waits for you: see the page`),
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
    `A terminal may not set the policy ${wanted}. Begin with another, and set it for the session on the page, on a device of an approver.`,
  );
}

/** Its output goes to standard error: standard output is the summary's. */
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
    throw new UsageError(`--until could not be run: ${(failure as Error).message}`);
  }
}

function formatTurn({ nth, session, how, costUsd, ms, problem }: LoopTurn): string {
  const why = problem === undefined ? "" : `: ${escapeForTerminal(problem)}`;
  const cost = `$${costUsd.toFixed(4)}, ${(ms / 1000).toFixed(1)} s`;
  return `turn ${nth} ${how} (${cost}, session ${session.slice(0, 8)})${why}`;
}

const endReasons: Record<LoopEnd["why"], string> = {
  turns: "all turns are done",
  until: "the command succeeded",
  cost: "the limit on cost was reached",
  time: "the limit on time was reached",
  failed: "a turn failed",
  aborted: "it was interrupted",
};

function formatSummary({ why, turns, costUsd, ms }: LoopEnd, hasCheck: boolean): string {
  const sessions = new Set(turns.map(({ session }) => session));
  return [
    `${turns.length} turn${turns.length === 1 ? "" : "s"}, $${costUsd.toFixed(4)}, ${(ms / 1000).toFixed(1)} s: ${endReasons[why]}${why === "turns" && hasCheck ? ", and the command never succeeded" : ""}.`,
    ...[...sessions].map((id) => `session ${id}`),
  ].join("\n");
}

function parsePositiveNumber(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw new UsageError(`${flag} is a number above 0, not "${escapeForTerminal(value)}".`);
}
