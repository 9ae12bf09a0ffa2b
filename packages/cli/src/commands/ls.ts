import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { homedir } from "node:os";
import type { Session } from "@signalbox/client";
import type { RunnerView } from "@signalbox/api";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { getTerminalLamp, paintLamp, formatPolicySuffix } from "../hub/lamp.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { getMachineNames } from "../hub/machines.ts";
import { shortId } from "../hub/pick-session.ts";
import { truncateMiddle, formatTable } from "../hub/table.ts";
import { formatDuration } from "../hub/times.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions } from "../options.ts";
import { truncate } from "../terminal/layout.ts";
import { createStyle } from "../terminal/style.ts";

export const lsCommand: CliCommand = {
  help: `Usage: signalbox ls [options]

Lists the sessions of the hub on this machine: ● working, ▲ needs you, ○ idle, ◌ parked or
stopped, ✗ failed or unreachable. "autonomous" marks an agent that never asks, "folder code off"
a folder whose hooks and servers wait for \`signalbox trust\`. If there are several machines, the
machine of each session is shown.

Options:
  --all              Include archived sessions, and all sessions of Claude Code
  --label LABEL      List the sessions with this label only
  --json             Print one JSON object per line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = {
    ...dataOption,
    all: { type: "boolean" },
    label: { type: "string" },
    json: { type: "boolean" },
  } as const;
  const { values } = parseOptions({ args, options });
  using hub = await connectLocalHub(values.data);
  const [all, runners] = await Promise.all([hub.sessions(), hub.runners()]);
  const sessions = all.filter(
    (session) =>
      (values.all === true || (!session.archived && !isUnused(session))) &&
      (values.label === undefined || session.labels.includes(values.label)),
  );
  const getMachineName = ({ runner }: Session) =>
    runners.find(({ id }) => id === runner)?.machine ?? null;
  if (values.json) {
    for (const session of sessions)
      console.log(formatJsonLine({ ...session, machine: getMachineName(session) }));
  } else if (sessions.length === 0) {
    console.log(
      values.label === undefined
        ? all.some(isUnused)
          ? "No sessions here yet. `signalbox ls --all` lists those of Claude Code."
          : 'No sessions yet. Create one with `signalbox new "prompt"`.'
        : `No session has the label "${escapeForTerminal(values.label)}".`,
    );
  } else {
    const style = createStyle(process.stdout, process.env);
    for (const line of formatSessionTable(sessions, Date.now(), style, runners)) console.log(line);
  }
  return exitCode.success;
}

/** Whether a session is one of Claude Code's that nobody has used here. */
function isUnused({ transcript, run, queue, pinned }: Session): boolean {
  return transcript?.isImported === true && !run && !pinned && queue.length === 0;
}

/** Sorts sessions that need a person first, then by their last change. */
export function formatSessionTable(
  sessions: readonly Session[],
  now: number,
  style: ReturnType<typeof createStyle>,
  runners: readonly RunnerView[] = [],
): string[] {
  const machines = getMachineNames(runners);
  const others = new Set(runners.filter(({ own }) => !own).map(({ id }) => id));
  const waits = (session: Session) => (getTerminalLamp(session).kind === "waiting" ? 1 : 0);
  const sorted = sessions.toSorted((a, b) => waits(b) - waits(a) || b.changedAt - a.changedAt);
  const rows = sorted.map((session) => {
    const lamp = getTerminalLamp(session);
    const { summary, queue, labels } = session;
    return [
      `${paintLamp(lamp, style)} ${lamp.word}${style.red(formatPolicySuffix(session))}`,
      style.dim(shortId(session)),
      truncate(escapeForTerminal(session.title).replaceAll("\n", " "), 40),
      ...(machines
        ? [style.dim(truncate(escapeForTerminal(machines.get(session.runner) ?? REMOVED), 20))]
        : []),
      style.dim(
        truncateMiddle(escapeForTerminal(formatFolder(session, others.has(session.runner))), 30),
      ),
      formatDuration(now - session.changedAt),
      summary.costUsd > 0 ? `$${summary.costUsd.toFixed(2)}` : "",
      [
        ...(session.transcript?.isImported ? [style.dim("from Claude Code")] : []),
        ...(isFolderCodeOff(session) ? [style.dim("folder code off")] : []),
        ...labels.map((label) => style.dim(`#${escapeForTerminal(label)}`)),
        ...(queue.length > 0 ? [style.dim(`${queue.length} queued`)] : []),
        ...formatProblem(session),
      ].join("  "),
    ];
  });
  return formatTable(rows, machines ? [5, 6] : [4, 5]);
}

/** Whether the folder brings code that nobody has decided about, which `signalbox trust` shows. */
function isFolderCodeOff({ trust }: Session): boolean {
  return trust?.state === "off" || trust?.state === "changed";
}

/** Says in one line why the session does not run, or how its last turn failed. */
function formatProblem(session: Session): string[] {
  const { problem, summary } = session;
  if (problem === undefined && getTerminalLamp(session).kind !== "failed") return [];
  const [first = ""] = escapeForTerminal(problem ?? summary.lastError ?? "").split("\n", 1);
  return first === "" ? [] : [truncate(first, 60)];
}

const REMOVED = "(removed)";

/** Shortens the home folder to `~` for this machine; the home of another machine is not known here. */
function formatFolder({ folder }: Session, isElsewhere: boolean): string {
  if (isElsewhere) return folder;
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`)
    ? `~${folder.slice(home.length)}`
    : folder;
}
