import type { PullRequest } from "@signalbox/api";
import { formatPullRequestPrompt } from "@signalbox/client";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { runConfirmed } from "../attach/run-confirmed.ts";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import { parseOptions, requireOneArgument } from "../options.ts";
import { choosePlace } from "./push.ts";

export const prCommand: CliCommand = {
  help: `Usage: signalbox pr [options] SESSION

Shows the pull request of a session's branch with its checks and review comments, through gh or
glab on that machine. With --title it opens one for a branch that has been pushed. It needs an
approver, who confirms this terminal.

Options:
  --title TITLE      Open a pull request with this title
  --body TEXT        Its description
  --base BRANCH      The branch to merge into (default: the remote's main branch)
  --draft            Open it as a draft
  --remote NAME      Remote (default: the one that the branch follows, or origin)
  --send             Send failed checks and comments to the agent as a message
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      title: { type: "string" },
      body: { type: "string" },
      base: { type: "string" },
      draft: { type: "boolean" },
      remote: { type: "string" },
      send: { type: "boolean" },
    },
  });
  const name = requireOneArgument(positionals, "Specify one session.");
  using hub = await connectLocalHub(values.data);
  const { id } = pickSession(await hub.sessions(), name);
  const { remote, branch } = choosePlace(await hub.git.remote(id), values.remote);
  const place = { remote: remote.name, url: remote.url, branch };
  const base = values.base ?? remote.base;
  if (values.title !== undefined && base === null) {
    throw new CommandError(exitCode.usage, "Specify the branch to merge into with --base.");
  }
  const elsewhere = `use the page (${hub.url}/s/${id})`;
  const subject = "Using your sign-in of gh or glab";
  const found = await runConfirmed(hub, { subject, elsewhere }, ({ git }) =>
    values.title === undefined || base === null
      ? git.pullRequest(id, place)
      : git.createPullRequest(id, {
          ...place,
          base,
          title: values.title,
          ...(values.body !== undefined && { body: values.body }),
          ...(values.draft && { draft: true }),
        }),
  );
  if (!found) {
    throw new CommandError(
      exitCode.notFound,
      `The branch ${escapeForTerminal(branch)} has no pull request. Open one with --title.`,
    );
  }
  for (const line of describe(found)) console.log(line);
  if (values.send === true) await hub.send(id, { text: formatPullRequestPrompt(found) });
  return exitCode.success;
}

function describe({ number, title, url, state, draft, decision, checks, comments }: PullRequest) {
  const facts = [
    draft ? "draft" : state,
    ...(decision === null ? [] : [decision.replace("-", " ")]),
  ];
  return [
    `#${number}  ${title}  (${facts.join(", ")})`,
    url,
    ...checks.map(({ name, state: result }) => `  ${result.padEnd(8)} ${name}`),
    ...comments.map(({ author, path, line, text }) => {
      const place = path === null ? "" : ` on ${path}${line === null ? "" : `:${line}`}`;
      return `  ${author}${place}: ${text.replaceAll("\n", "\n    ")}`;
    }),
  ].map((line) => escapeForTerminal(line));
}
