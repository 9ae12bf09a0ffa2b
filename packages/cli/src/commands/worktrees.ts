import type { WorktreeView } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { runConfirmed } from "../attach/run-confirmed.ts";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import { formatTable } from "../hub/table.ts";
import { parseOptions, requireOneArgument } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";

export const worktreesCommand: CliCommand = {
  help: `Usage: signalbox worktrees [options] SESSION

Lists the worktrees of a session's repository, with the work in each that is nowhere else. With
--merge or --remove it merges or removes the one that the session is in.

Options:
  --merge            Merge its branch into the branch of the main folder
  --remove           Remove it, with its ignored files; its branch and commits stay
  --delete-branch    With --remove: delete its branch, too
  --discard          With --remove: give up work that is nowhere else; needs an approver, who
                     confirms this terminal
  --json             Print one JSON object per line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      merge: { type: "boolean" },
      remove: { type: "boolean" },
      "delete-branch": { type: "boolean" },
      discard: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  const name = requireOneArgument(positionals, "Specify one session.");
  using hub = await connectLocalHub(values.data);
  const { id } = pickSession(await hub.sessions(), name);
  const list = () => hub.git.worktrees(id);
  if (values.merge === true) {
    const { folder, head } = requireOwn(await list());
    if (head === null) throw new CommandError(exitCode.refused, "It has no commits yet.");
    const { into, commit } = await hub.git.mergeWorktree(id, { folder, head });
    console.log(`Merged into ${escapeForTerminal(into)}, which is at ${commit.slice(0, 12)} now.`);
  }
  if (values.remove === true) {
    const { folder, head, changes, unsaved } = requireOwn(await list());
    const removal = {
      folder,
      head,
      ...(values["delete-branch"] && { deleteBranch: true as const }),
    };
    if (values.discard === true) {
      const what = `${changes} files that are not committed and ${unsaved} commits that are nowhere else`;
      const subject = `Giving up ${what}`;
      const elsewhere = `remove the worktree on the page (${hub.url}/s/${id})`;
      await runConfirmed(hub, { subject, elsewhere }, ({ git }) =>
        git.removeWorktree(id, { ...removal, discard: { changes, unsaved } }),
      );
    } else {
      await hub.git.removeWorktree(id, removal);
    }
    console.log(`Removed ${escapeForTerminal(folder)}.`);
    return exitCode.success;
  }
  const worktrees = await list();
  if (values.json === true) for (const one of worktrees) console.log(formatJsonLine(one));
  else for (const line of formatTable(worktrees.map(describe))) console.log(line);
  return exitCode.success;
}

function requireOwn(worktrees: readonly WorktreeView[]): WorktreeView {
  const own = worktrees.find(({ current }) => current);
  if (own && !own.main) return own;
  throw new CommandError(exitCode.refused, "The folder of this session is no worktree.");
}

function describe({ folder, main, current, branch, missing, changes, unsaved }: WorktreeView) {
  const facts = [
    ...(main ? ["main folder"] : []),
    ...(current ? ["this session"] : []),
    ...(missing ? ["folder is gone"] : []),
    ...(changes > 0 ? [`${changes} not committed`] : []),
    ...(unsaved > 0 ? [`${unsaved} commits nowhere else`] : []),
  ];
  return [escapeForTerminal(branch ?? "(no branch)"), escapeForTerminal(folder), facts.join(", ")];
}
