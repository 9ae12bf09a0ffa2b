import type { RunnerView, SessionOptionsChange } from "@signalbox/api";
import { type HubClient, HubError, type Session } from "@signalbox/client";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { runConfirmed } from "../attach/run-confirmed.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub, type LocalHub } from "../hub/local-hub.ts";
import { pickSession, shortId } from "../hub/pick-session.ts";
import { resolveFolder } from "../hub/resolve-folder.ts";
import {
  formatSessionOptions,
  readSessionOptions,
  sessionOptionFlags,
  sessionOptionHelp,
} from "../hub/session-options.ts";
import { parseUnset, unsetHelp } from "../hub/unset-options.ts";
import { parseOptions, requireOneArgument } from "../options.ts";
import { Keyboard } from "../terminal/keyboard.ts";

export const setCommand: CliCommand = {
  help: `Usage: signalbox set [options] SESSION

Changes the options of a session, or lists them if no option is given. They apply when the agent
starts the next time; a running agent keeps those it was started with. --policy applies at once.
The machine and the folder of a session cannot be changed.

Options:
${sessionOptionHelp}
${unsetHelp}
  --restart          Restart a running agent, so that the options apply now

--env adds variables to those of the session. --add-dir and --mcp-config replace what was set.
${dataHelp}`,
  run,
};

type Policy = Pick<NonNullable<Parameters<HubClient["changeSession"]>[1]>, "policy" | "confirmed">;

interface Change {
  readonly options: SessionOptionsChange;
  readonly policy: Policy;
}

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      ...sessionOptionFlags,
      unset: { type: "string", multiple: true },
      restart: { type: "boolean" },
    },
  });
  const name = requireOneArgument(positionals, "Specify one session.");
  const unset = parseUnset(values.unset);
  using hub = await connectLocalHub(values.data);
  const session = pickSession(await hub.sessions(), name);
  const machine = await findMachine(hub, session, values["add-dir"] !== undefined);
  const { policy, ...given } = readSessionOptions(values, (path) =>
    resolveFolder(machine, "--add-dir", path),
  );
  const options: SessionOptionsChange = { ...(await addVariables(hub, session, given)), ...unset };
  if (Object.keys(options).length === 0 && policy === undefined) {
    for (const line of formatSessionOptions(await hub.sessionOptions(session.id))) {
      console.log(line);
    }
  } else {
    const confirmed = policy === "autonomous" ? { confirmed: true as const } : {};
    const change = { options, policy: policy === undefined ? {} : { policy, ...confirmed } };
    await applyChange(hub, session, change);
  }
  if (values.restart === true) await restart(hub, session);
  await printState(hub, session);
  return exitCode.success;
}

async function findMachine(
  hub: LocalHub,
  { runner }: Session,
  isNeeded: boolean,
): Promise<RunnerView | undefined> {
  if (!isNeeded) return undefined;
  return (await hub.runners()).find(({ id }) => id === runner);
}

/** Keeps the variables that the session has beside those that are given. */
async function addVariables(
  hub: LocalHub,
  { id }: Session,
  given: SessionOptionsChange,
): Promise<SessionOptionsChange> {
  if (!given.variables) return given;
  const { variables } = await hub.sessionOptions(id);
  return { ...given, variables: { ...variables, ...given.variables } };
}

/** Changes the session; what takes an approver is confirmed on an approver's device. */
async function applyChange(hub: LocalHub, { id }: Session, change: Change): Promise<void> {
  const apply = async (client: HubClient) => {
    if (Object.keys(change.options).length > 0) {
      await client.changeSessionOptions(id, change.options);
    }
    if (change.policy.policy !== undefined) await client.changeSession(id, change.policy);
  };
  try {
    await apply(hub);
  } catch (failure) {
    if (!HubError.is(failure) || failure.code !== "approver-needed") throw failure;
    if (!Keyboard.isAvailable) throw failure;
    const elsewhere = `change the session on that device (${hub.url}/s/${id})`;
    await runConfirmed(hub, { subject: "This change", elsewhere }, apply);
  }
}

async function restart(hub: LocalHub, { id, state }: Session): Promise<void> {
  if (state === "running" || state === "starting") await hub.stop(id);
  await hub.wake(id);
}

async function printState(hub: LocalHub, { id }: Session): Promise<void> {
  const session = await hub.session(id);
  if (session.optionsPending !== true) return;
  const command = `signalbox restart ${shortId(session)}`;
  console.error(
    `The agent of ${escapeForTerminal(session.title)} is running with its previous options. To apply the new ones now, run \`${command}\`.`,
  );
}
