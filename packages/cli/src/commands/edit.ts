import type { SessionChange } from "@signalbox/api";
import type { Session } from "@signalbox/client";
import { escapeForTerminal } from "@signalbox/protocol/text";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession, shortId } from "../hub/pick-session.ts";
import { parseDuration } from "../hub/times.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const editCommand: CliCommand = {
  help: `Usage: signalbox edit [options] SESSION...

Renames, labels, pins, snoozes or archives sessions.

Options:
  --title TITLE         Rename the session
  --add-label LABEL     Add a label; can be repeated
  --remove-label LABEL  Remove a label; can be repeated
  --pin, --unpin        Keep the session at the top of its project, or no longer
  --archive, --unarchive
                        Move the session to the archive, or out of it
  --snooze TIME         Hide the session until it needs you, or for a time: 30m, 4h, 2d, 1w
  --unsnooze            Show it again
${dataHelp}`,
  run,
};

const flags = {
  title: { type: "string" },
  "add-label": { type: "string", multiple: true },
  "remove-label": { type: "string", multiple: true },
  pin: { type: "boolean" },
  unpin: { type: "boolean" },
  archive: { type: "boolean" },
  unarchive: { type: "boolean" },
  snooze: { type: "string" },
  unsnooze: { type: "boolean" },
} as const;

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, ...flags },
  });
  if (positionals.length === 0) throw new UsageError("Specify at least one session.");
  if (values.title !== undefined && positionals.length > 1) {
    throw new UsageError("--title takes one session.");
  }
  const pinned = chooseOne("pin", values.pin, values.unpin);
  const archived = chooseOne("archive", values.archive, values.unarchive);
  if (values.snooze !== undefined && values.unsnooze === true) {
    throw new UsageError("Use either --snooze or --unsnooze.");
  }
  const change: SessionChange = {
    ...(values.title !== undefined && { title: values.title }),
    ...(pinned !== undefined && { pinned }),
    ...(archived !== undefined && { archived }),
    ...(values.snooze !== undefined && { snoozedUntil: readSnooze(values.snooze) }),
    ...(values.unsnooze === true && { snoozedUntil: null }),
  };
  const [added, removed] = [values["add-label"] ?? [], values["remove-label"] ?? []];
  const changesLabels = added.length + removed.length > 0;
  if (!changesLabels && Object.keys(change).length === 0) {
    throw new UsageError("Specify what to change. See `signalbox edit --help`.");
  }
  using hub = await connectLocalHub(values.data);
  const all = await hub.sessions();
  for (const session of positionals.map((name) => pickSession(all, name))) {
    const labels = changesLabels ? { labels: changeLabels(session, added, removed) } : {};
    const changed = await hub.changeSession(session.id, { ...change, ...labels });
    console.log(`${shortId(changed)}  ${formatChanged(changed)}`);
  }
  return exitCode.success;
}

function chooseOne(name: string, on?: boolean, off?: boolean): boolean | undefined {
  if (on === true && off === true) throw new UsageError(`Use either --${name} or --un${name}.`);
  if (on === true) return true;
  return off === true ? false : undefined;
}

function readSnooze(text: string): number {
  const duration = parseDuration(text);
  if (duration !== undefined) return Date.now() + duration;
  throw new UsageError(`--snooze takes a time such as 30m, 4h, 2d or 1w, not "${text}".`);
}

function changeLabels(
  { labels }: Session,
  added: readonly string[],
  removed: readonly string[],
): string[] {
  return [...labels.filter((label) => !removed.includes(label)), ...added];
}

function formatChanged({ title, labels, pinned, archived, snoozedUntil }: Session): string {
  const facts = [
    ...labels,
    ...(pinned ? ["pinned"] : []),
    ...(archived ? ["archived"] : []),
    ...(snoozedUntil === undefined
      ? []
      : [`snoozed until ${new Date(snoozedUntil).toLocaleString()}`]),
  ];
  const shown = escapeForTerminal(title).replaceAll("\n", " ");
  return facts.length === 0 ? shown : `${shown}  (${escapeForTerminal(facts.join(", "))})`;
}
