import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { homedir } from "node:os";
import type { Session } from "@signalbox/client";
import type { RunnerView } from "@signalbox/api";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { terminalLamp, paintLamp, policyMark } from "../hub/lamp.ts";
import { dataHelp, dataOption, localHub } from "../hub/local-hub.ts";
import { machineNames } from "../hub/machines.ts";
import { shortId } from "../hub/pick-session.ts";
import { middle, table } from "../hub/table.ts";
import { span } from "../hub/times.ts";
import type { Command } from "../main.ts";
import { parsed } from "../options.ts";
import { clip } from "../terminal/layout.ts";
import { styleFor } from "../terminal/style.ts";

export const lsCommand: Command = {
  help: `Usage: signalbox ls [--all] [--json]

Shows all sessions of the hub on this machine: ● working, ▲ waits for you, ○ idle, ◌ parked
or stopped, ✗ failed, last turn failed, or cut off. "autonomous" marks an agent that asks nobody,
"folder code off" a folder whose own hooks and servers wait for \`signalbox trust\`.
Where there are several machines, each session is shown with its own.

  --all             archived ones too
  --json            one JSON object a line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = { ...dataOption, all: { type: "boolean" }, json: { type: "boolean" } } as const;
  const { values } = parsed({ args, options });
  using hub = await localHub(values.data);
  const [all, runners] = await Promise.all([hub.sessions(), hub.runners()]);
  const sessions = values.all ? all : all.filter(({ archived }) => !archived);
  const nameOf = ({ runner }: Session) => runners.find(({ id }) => id === runner)?.machine ?? null;
  if (values.json) {
    for (const session of sessions)
      console.log(formatJsonLine({ ...session, machine: nameOf(session) }));
  } else if (sessions.length === 0) {
    console.log('There is no session yet. Begin one: signalbox new "what to do"');
  } else {
    const style = styleFor(process.stdout, process.env);
    for (const line of sessionTable(sessions, Date.now(), style, runners)) console.log(line);
  }
  return exitCode.success;
}

/** What waits for a person stands on top, then the newest change. */
export function sessionTable(
  sessions: readonly Session[],
  now: number,
  style: ReturnType<typeof styleFor>,
  runners: readonly RunnerView[] = [],
): string[] {
  const machines = machineNames(runners);
  const others = new Set(runners.filter(({ own }) => !own).map(({ id }) => id));
  const waits = (session: Session) => (terminalLamp(session).kind === "waiting" ? 1 : 0);
  const sorted = sessions.toSorted((a, b) => waits(b) - waits(a) || b.changedAt - a.changedAt);
  const rows = sorted.map((session) => {
    const lamp = terminalLamp(session);
    const { summary, queue } = session;
    return [
      `${paintLamp(lamp, style)} ${lamp.word}${style.red(policyMark(session))}`,
      style.dim(shortId(session)),
      clip(escapeForTerminal(session.title).replaceAll("\n", " "), 40),
      ...(machines
        ? [style.dim(clip(escapeForTerminal(machines.get(session.runner) ?? REMOVED), 20))]
        : []),
      style.dim(middle(escapeForTerminal(pathOn(session, others.has(session.runner))), 30)),
      span(now - session.changedAt),
      summary.costUsd > 0 ? `$${summary.costUsd.toFixed(2)}` : "",
      [
        ...(isCodeOff(session) ? [style.dim("folder code off")] : []),
        ...(queue.length > 0 ? [style.dim(`${queue.length} queued`)] : []),
        ...whyFailed(session),
      ].join("  "),
    ];
  });
  return table(rows, machines ? [5, 6] : [4, 5]);
}

/** The folder brings code of its own, which nobody has decided about: `signalbox trust` shows it. */
function isCodeOff({ trust }: Session): boolean {
  return trust?.state === "off" || trust?.state === "changed";
}

/** Why it does not run, or what the agent said of the turn that failed, in a line. */
function whyFailed(session: Session): string[] {
  const { problem, summary } = session;
  if (problem === undefined && terminalLamp(session).word !== "turn failed") return [];
  const [first = ""] = escapeForTerminal(problem ?? summary.lastError ?? "").split("\n", 1);
  return first === "" ? [] : [clip(first, 60)];
}

const REMOVED = "(removed)";

/** A path with `~` for the home of this machine; another machine's home is not known here. */
function pathOn({ folder }: Session, isElsewhere: boolean): string {
  if (isElsewhere) return folder;
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`)
    ? `~${folder.slice(home.length)}`
    : folder;
}
