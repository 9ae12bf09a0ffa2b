import type { RemoteState, RemoteView } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { runConfirmed } from "../attach/run-confirmed.ts";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import { parseOptions, requireOneArgument } from "../options.ts";

export const pushCommand: CliCommand = {
  help: `Usage: signalbox push [options] SESSION

Pushes the current branch of a session's folder with your own Git credentials on that machine. It
needs an approver, who confirms this terminal.

Options:
  --remote NAME      Remote to push to (default: the one that the branch follows, or origin)
  --force            Replace the remote branch, if nobody has changed it meanwhile
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, remote: { type: "string" }, force: { type: "boolean" } },
  });
  const name = requireOneArgument(positionals, "Specify one session.");
  using hub = await connectLocalHub(values.data);
  const { id } = pickSession(await hub.sessions(), name);
  const { state, remote, branch } = choosePlace(await hub.git.remote(id), values.remote);
  if (state.commit === null) {
    throw new CommandError(exitCode.refused, "There is no commit yet that could be pushed.");
  }
  const push = { remote: remote.name, url: remote.url, branch, commit: state.commit };
  const where = `${escapeForTerminal(branch)} to ${escapeForTerminal(remote.url)}`;
  console.error(`Pushing ${where} (${state.unpushed.length} commits that no remote has)`);
  const elsewhere = `push on the page (${hub.url}/s/${id})`;
  const done = await runConfirmed(hub, { subject: "Pushing", elsewhere }, (confirmed) =>
    confirmed.git.push(id, { ...push, ...(values.force && { force: true }) }),
  );
  if (done.message !== "") console.error(escapeForTerminal(done.message));
  console.log(`${done.commit.slice(0, 12)}  ${where}`);
  return exitCode.success;
}

/** The remote and the branch that are meant. Throws with the reason if nothing can be pushed there. */
export function choosePlace(
  state: RemoteState,
  named: string | undefined,
): { state: RemoteState; remote: RemoteView; branch: string } {
  const refuse = (why: string) => new CommandError(exitCode.refused, why);
  const remote = state.remotes.find(({ name }) => name === (named ?? state.remote));
  if (!remote)
    throw refuse(
      named === undefined ? "The repository has no remote." : "There is no such remote.",
    );
  if (remote.problem !== null) throw refuse(remote.problem);
  if (state.branch === null) throw refuse("No branch is checked out, so nothing can be pushed.");
  return { state, remote, branch: state.branch };
}
