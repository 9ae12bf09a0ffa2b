import { homedir } from "node:os";
import type { Session } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { lampOf, paintLamp, policyMark } from "../hub/lamp.ts";
import { dataHelp, dataOption, localHub } from "../hub/local-hub.ts";
import { shortId } from "../hub/pick-session.ts";
import { middle, table } from "../hub/table.ts";
import { span } from "../hub/times.ts";
import type { Command } from "../main.ts";
import { parsed } from "../options.ts";
import { clip } from "../terminal/layout.ts";
import { styleFor } from "../terminal/style.ts";
import { jsonLine, visible } from "../terminal/visible.ts";

export const lsCommand: Command = {
  help: `Usage: signalbox ls [--all] [--json]

Shows all sessions of the hub on this machine: ● working, ▲ waits for you, ○ idle, ◌ parked
or stopped, ✗ failed, last turn failed, or cut off. "autonomous" marks an agent that asks nobody.

  --all             archived ones too
  --json            one JSON object a line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = { ...dataOption, all: { type: "boolean" }, json: { type: "boolean" } } as const;
  const { values } = parsed({ args, options });
  using hub = await localHub(values.data);
  const all = await hub.sessions();
  const sessions = values.all ? all : all.filter(({ archived }) => !archived);
  if (values.json) {
    for (const session of sessions) console.log(jsonLine(session));
  } else if (sessions.length === 0) {
    console.log('There is no session yet. Begin one: signalbox new "what to do"');
  } else {
    const style = styleFor(process.stdout, process.env);
    for (const line of sessionTable(sessions, Date.now(), style)) console.log(line);
  }
  return exitCode.success;
}

/** What waits for a person stands on top, then the newest change. */
export function sessionTable(
  sessions: readonly Session[],
  now: number,
  style: ReturnType<typeof styleFor>,
): string[] {
  const waits = (session: Session) => (lampOf(session).colour === "yellow" ? 1 : 0);
  const sorted = sessions.toSorted((a, b) => waits(b) - waits(a) || b.changedAt - a.changedAt);
  const rows = sorted.map((session) => {
    const lamp = lampOf(session);
    const { summary, queue } = session;
    return [
      `${paintLamp(lamp, style)} ${lamp.word}${style.red(policyMark(session))}`,
      style.dim(shortId(session)),
      clip(visible(session.title).replaceAll("\n", " "), 40),
      style.dim(middle(visible(homely(session.folder)), 30)),
      span(now - session.changedAt),
      summary.costUsd > 0 ? `$${summary.costUsd.toFixed(2)}` : "",
      [
        ...(queue.length > 0 ? [style.dim(`${queue.length} queued`)] : []),
        ...whyFailed(session),
      ].join("  "),
    ];
  });
  return table(rows, [4, 5]);
}

/** Why it does not run, or what the agent said of the turn that failed, in a line. */
function whyFailed(session: Session): string[] {
  const { problem, summary } = session;
  if (problem === undefined && lampOf(session).word !== "turn failed") return [];
  const [first = ""] = visible(problem ?? summary.lastError ?? "").split("\n", 1);
  return first === "" ? [] : [clip(first, 60)];
}

function homely(folder: string): string {
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`)
    ? `~${folder.slice(home.length)}`
    : folder;
}
