import type { HubClient } from "@signalbox/client";
import { escapeForTerminal } from "@signalbox/protocol/text";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession, shortId } from "../hub/pick-session.ts";
import { formatTable } from "../hub/table.ts";
import { formatDuration } from "../hub/times.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const trashCommand: CliCommand = {
  help: `Usage: signalbox trash [SESSION...]
       signalbox trash --restore SESSION...
       signalbox trash --delete SESSION...
       signalbox trash --empty

Moves sessions to the trash, or lists what is in it. A session in the trash is stopped, and deleted
after 30 days.

Options:
  --restore          Take the sessions out of the trash
  --delete           Delete the sessions in the trash permanently, now
  --empty            Delete everything in the trash permanently, now
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      restore: { type: "boolean" },
      delete: { type: "boolean" },
      empty: { type: "boolean" },
    },
  });
  const chosen = (["restore", "delete", "empty"] as const).filter((name) => values[name] === true);
  if (chosen.length > 1) throw new UsageError(`Use either --${chosen.join(" or --")}.`);
  const [action = "trash"] = chosen;
  if (action === "empty" && positionals.length > 0)
    throw new UsageError("--empty takes no session.");
  if ((action === "restore" || action === "delete") && positionals.length === 0) {
    throw new UsageError("Specify at least one session.");
  }
  using hub = await connectLocalHub(values.data);
  if (action === "empty") await emptyTrash(hub);
  else if (positionals.length === 0) await listTrash(hub);
  else await changeEach(hub, action, positionals);
  return exitCode.success;
}

async function emptyTrash(hub: HubClient): Promise<void> {
  const { length } = await hub.trash();
  await hub.emptyTrash();
  console.log(length === 1 ? "Deleted 1 session." : `Deleted ${length} sessions.`);
}

async function listTrash(hub: HubClient): Promise<void> {
  const sessions = await hub.trash();
  if (sessions.length === 0) console.log("The trash is empty.");
  const rows = sessions.map((session) => [
    shortId(session),
    escapeForTerminal(session.title).replaceAll("\n", " "),
    `${formatDuration(Date.now() - (session.trashedAt ?? Date.now()))} ago`,
  ]);
  for (const line of formatTable(rows, [])) console.log(line);
}

async function changeEach(
  hub: HubClient,
  action: "trash" | "restore" | "delete",
  names: readonly string[],
): Promise<void> {
  const known = action === "trash" ? await hub.sessions() : await hub.trash();
  for (const session of names.map((name) => pickSession(known, name))) {
    if (action === "delete") await hub.deleteSession(session.id);
    else await hub.changeSession(session.id, { trashed: action === "trash" });
    const done = { trash: "moved to the trash", restore: "restored", delete: "deleted" }[action];
    console.log(`${shortId(session)}  ${done}  ${escapeForTerminal(session.title)}`);
  }
}
