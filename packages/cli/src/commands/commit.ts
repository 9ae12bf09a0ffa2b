import type { CommitHooks, CreatedCommit, NewCommit } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { runConfirmed } from "../attach/run-confirmed.ts";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption, type LocalHub } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const commitCommand: CliCommand = {
  help: `Usage: signalbox commit [options] SESSION -m MESSAGE [FILE...]

Commits in the repository of a session's folder: what is staged, or these files alone. Nothing of
the repository runs, except its commit hooks in a folder that an approver has trusted; they are
named before they run, once an approver's device has confirmed this terminal. The commit is not
signed.

Options:
  -m, --message TEXT Message of the commit
  --all              Commit every file that has changed
  --amend            Replace the last commit
  --no-hooks         Commit without the hooks of the repository
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      message: { type: "string", short: "m" },
      all: { type: "boolean" },
      amend: { type: "boolean" },
      "no-hooks": { type: "boolean" },
    },
  });
  const [name, ...paths] = positionals;
  if (name === undefined) throw new UsageError("Specify a session.");
  if (values.message === undefined) throw new UsageError("Specify a message with -m.");
  if (values.all === true && paths.length > 0) throw new UsageError("Use either --all or files.");
  using hub = await connectLocalHub(values.data);
  const { id } = pickSession(await hub.sessions(), name);
  const files =
    values.all === true ? await listChangedFiles(hub, id) : paths.map((path) => ({ path }));
  const state = await hub.git.repository(id);
  if (!state.repository) throw new CommandError(exitCode.notFound, state.why);
  const made = await commit(hub, id, {
    message: values.message,
    ...(files.length > 0 && { files }),
    ...(values.amend && { amend: true }),
    ...chooseHooks(state.hooks, values["no-hooks"] === true),
  });
  if (made.output !== "") console.error(escapeForTerminal(made.output));
  const where = made.branch === null ? "" : ` on ${escapeForTerminal(made.branch)}`;
  const count = `${made.files} ${made.files === 1 ? "file" : "files"}`;
  console.log(
    `${made.commit.slice(0, 12)}  ${escapeForTerminal(made.subject)}  (${count}${where})`,
  );
  return exitCode.success;
}

/** Commits; hooks run once an approver's device has confirmed this terminal. */
function commit(hub: LocalHub, session: string, wanted: NewCommit): Promise<CreatedCommit> {
  const { hooks = "skip" } = wanted;
  if (hooks === "skip") return hub.git.commit(session, wanted);
  const subject = "Running the hooks of this repository";
  const elsewhere = `commit on that device (${hub.url}/s/${session}) or with --no-hooks`;
  return runConfirmed(hub, { subject, elsewhere }, ({ git }) => git.commit(session, wanted));
}

async function listChangedFiles(hub: LocalHub, session: string): Promise<NewCommit["files"] & {}> {
  const changes = await hub.workingChanges(session);
  if (!changes.repository) throw new CommandError(exitCode.notFound, changes.why);
  const unreadable = changes.files.find((file) => file.unreadableName);
  if (changes.more > 0 || unreadable) {
    const why = unreadable ? "a name is not valid UTF-8" : "too many files have changed";
    const advice = "Stage them with `git add` in the session's folder, then commit without --all.";
    throw new CommandError(exitCode.refused, `--all cannot be used here: ${why}. ${advice}`);
  }
  if (changes.files.length === 0) {
    throw new CommandError(exitCode.refused, "Nothing has changed, so there is nothing to commit.");
  }
  return changes.files.map(({ path, from }) => ({ path, ...(from !== undefined && { from }) }));
}

function chooseHooks(hooks: CommitHooks | null, skip: boolean): Pick<NewCommit, "hooks"> {
  if (skip) return { hooks: "skip" };
  if (hooks === null) return {};
  const names = hooks.files.map(({ path }) => escapeForTerminal(path)).join(", ");
  if (hooks.trusted) {
    console.error(`Running the hooks of the repository: ${names}`);
    return { hooks: hooks.hash };
  }
  throw new CommandError(
    exitCode.refused,
    `This repository has hooks for commits, which run only in a folder that an approver has trusted: ${names}. Trust the folder on the page or with \`signalbox trust\`, or use --no-hooks.`,
  );
}
