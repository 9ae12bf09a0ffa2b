import { errorMessage, escapeForTerminal } from "@signalbox/protocol/text";
import { mkdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pairDevice, upgradeDevice } from "@signalbox/client";
import { readPrivateFile, replacePrivateFile } from "@signalbox/hub/private-file";
import { SignalboxError } from "@signalbox/protocol";
import { bypassProxyForLoopback } from "@signalbox/protocol/proxy";
import { LINK_PATH } from "@signalbox/api/link";
import { adoptOrphans } from "@signalbox/host/agents";
import {
  locateHub,
  type Runner,
  type RunnerOptions,
  startRunner,
  stopOnSignals,
} from "@signalbox/runner";
import {
  type DeviceSigningKey,
  createDeviceSigningKey,
  readDeviceSigningKey,
  createSigningKey,
} from "@signalbox/runner/keys";
import {
  type RunnerCredential,
  runnerCredential,
  type LegacyRunnerCredential,
  legacyRunnerCredential,
  createLinkAuthorization,
  runnerStartMessage,
} from "@signalbox/runner/link";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import {
  getLocalRunnerFolder,
  createSignalboxFolders,
  listSignalboxFolders,
  rememberDataFolder,
  resolveDataFolder,
} from "../hub/data-folder.ts";
import { readHubAddressVariable, parseHubAddress } from "../hub/hub-address.ts";
import { writeRunnerProcess, removeRunnerProcess } from "../hub/local-runner.ts";
import { takeStartFile } from "../service/start-file.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions } from "../options.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { readVersion } from "../version.ts";
import { UsageError } from "../usage-error.ts";

export const runnerCommand: CliCommand = {
  help: `Usage: signalbox runner --hub URL [options]

Runs agents on this machine for a hub on another machine. The hub must be reachable from here, so
it must have been started with --host or --name and TLS or a proxy (see \`signalbox serve --help\`).
The first start needs a pairing code, from "Add a machine" in the page's settings or from
\`signalbox machines add\`; the command asks for it, or reads it from standard input. Runs until it
is stopped, and then ends its agents.

Options:
  --hub URL          Address of the hub (default: $SIGNALBOX_URL). Must use https unless the hub
                     is on this machine. Set NODE_EXTRA_CA_CERTS to the file of your own
                     certificate authority, if you use one
  --code-file FILE   File with the pairing code
  --name NAME        Name of this machine in the hub (default: its host name)
  --data FOLDER      Folder for this machine's key and data that the hub has not stored yet
                     (default: $SIGNALBOX_DATA, then $XDG_DATA_HOME/signalbox, then
                     ~/.local/share/signalbox)
  --driver-module FILE
                     Module of another package that brings a driver for agents (repeatable)

A hub starts the runner of its own machine itself (--own), unless a service manager runs it
(--service, see \`signalbox service\`).`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values } = parseOptions({
    args,
    options: {
      hub: { type: "string" },
      own: { type: "boolean" },
      service: { type: "boolean" },
      "code-file": { type: "string" },
      name: { type: "string" },
      data: { type: "string" },
      "driver-module": { type: "string", multiple: true },
    },
  });
  const data = resolveDataFolder(values.data);
  const driverModules = (values["driver-module"] ?? []).map((file) => resolve(file));
  if (values.own) return runForOwnHub(await readFirstLine(), data, driverModules);
  if (values.service) {
    const folder = getLocalRunnerFolder(data);
    const message = await takeStartFile(folder);
    return message === undefined ? exitCode.success : runForOwnHub(message, folder, driverModules);
  }
  const address = values.hub ?? readHubAddressVariable();
  if (address === undefined) throw new UsageError("Specify the hub: --hub URL.");
  const hub = parseHubAddress(address);
  const folder = join(data, "runners", hub.host.replaceAll(/[^\w.-]/g, "_"));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "credential.json");
  const before = await readCredential(file);
  const machine = values.name ?? before?.machine ?? hostname();
  const known = values["code-file"] === undefined ? before : undefined;
  const credential =
    known ?? (await pairMachine(hub, machine, await readCode(values["code-file"])));
  if (credential.machine !== machine)
    replacePrivateFile(file, JSON.stringify({ ...credential, machine }));
  console.error(`Running agents for ${credential.hub} as "${escapeForTerminal(machine)}".`);
  const key = readSigningKey(credential.key);
  const find = (over: AbortSignal) =>
    locateHub({ url: credential.hub, key: credential.hubKey }, over);
  rememberDataFolder(data);
  const hide = () => listSignalboxFolders(data);
  const { runner } = credential;
  const place = { dataFolder: folder, machine, hide, driverModules };
  return runUntilStopped({ hub: find, key, runner, own: false, ...place }, credential.hub);
}

/** Runs agents for the hub of this machine, which gave the runner this message. */
async function runForOwnHub(
  message: string,
  dataFolder: string,
  driverModules: readonly string[],
): Promise<ExitCode> {
  const { umask, hub: url, home, key, runner } = runnerStartMessage.parse(JSON.parse(message));
  process.umask(umask); // so that agents create files with the umask of their user
  const hub = (over: AbortSignal) => locateHub({ url, ...home }, over);
  const hide = () => listSignalboxFolders(dataFolder, home.descriptor && dirname(home.descriptor));
  const options = { hub, key: readSigningKey(key), runner, own: true, dataFolder, hide };
  return runUntilStopped({ ...options, driverModules });
}

function readSigningKey(text: string): DeviceSigningKey {
  const key = readDeviceSigningKey(text);
  if (key) return key;
  throw new CommandError(
    exitCode.refused,
    "Couldn't read the key of this machine. Pair it again with a new code and --code-file.",
  );
}

async function runUntilStopped(options: RunnerOptions, remoteUrl?: string): Promise<ExitCode> {
  createSignalboxFolders();
  let exit: ExitCode = exitCode.success;
  let runner: Runner | undefined;
  const stopIfRevoked = async () => {
    if (remoteUrl === undefined || !(await isRevoked(options))) return;
    exit = exitCode.refused;
    await runner?.stop(
      `This machine was removed from the hub at ${remoteUrl}. Data that the hub has not stored is kept in ${options.dataFolder}. To pair again, start with --code-file and a new code.`,
    );
  };
  const onTrouble = (sentence: string) => {
    console.error(`${new Date().toISOString()} ${escapeForTerminal(sentence)}`);
    void stopIfRevoked();
  };
  using _adopting = await adoptOrphans(); // before any process starts, so that no process of a run can escape
  try {
    runner = await startRunner({ ...options, version: readVersion(), onTrouble });
  } catch (failure) {
    const isExplained = SignalboxError.isAny(failure) || options.driverModules?.length;
    if (!isExplained) throw failure;
    throw new CommandError(exitCode.refused, errorMessage(failure));
  }
  writeRunnerProcess(options.dataFolder);
  stopOnSignals(runner);
  process.on("SIGHUP", () => {}); // the runner outlives the terminal in which it was started
  console.error(await runner.closed);
  removeRunnerProcess(options.dataFolder);
  return exit;
}

/** Whether the hub, after it has proven its identity, no longer accepts the key of this machine. */
async function isRevoked({ hub, key }: Pick<RunnerOptions, "hub" | "key">): Promise<boolean> {
  try {
    const { url, nonce } = await hub(AbortSignal.timeout(5000));
    const headers = { authorization: createLinkAuthorization(key, nonce) };
    const options = { ...bypassProxyForLoopback(url), headers, redirect: "error" } as const;
    return (await fetch(new URL(LINK_PATH, url), options)).status === 401;
  } catch {
    return false; // the hub cannot be reached now
  }
}

async function pairMachine(hub: URL, name: string, code: string): Promise<RunnerCredential> {
  const key = createSigningKey();
  const paired = await pairDevice({ url: hub.origin, code, name, publicKey: key.publicKey });
  const { device } = paired;
  if (device.role === "runner") {
    const own = createDeviceSigningKey(device.id, key).text;
    return { hub: hub.origin, hubKey: paired.hub.key, key: own, runner: device.id };
  }
  throw new CommandError(
    exitCode.refused,
    `This pairing code is for a ${device.role}, not for a machine. Create one on the page under Settings, Machines, or with \`signalbox machines add\`.`,
  );
}

async function readCode(file: string | undefined): Promise<string> {
  if (file !== undefined) return parseCode(readFileSync(file, "utf8"));
  if (!process.stdin.isTTY || !Keyboard.isAvailable) return parseCode(await text(process.stdin));
  const stop = new AbortController();
  const keyboard = new Keyboard(() => stop.abort());
  try {
    return parseCode((await keyboard.ask("Pairing code: ", stop.signal)) ?? "");
  } finally {
    keyboard.close();
  }
}

/** Reads a code, or a link that contains it. */
function parseCode(text: string): string {
  const code = text.trim().replace(/^.*#pair=/, "");
  if (code !== "") return code;
  throw new UsageError(
    'Enter a pairing code. Create one on the page under Settings, "Add a machine", or with `signalbox machines add`.',
  );
}

async function readCredential(file: string): Promise<RunnerCredential | undefined> {
  const text = readPrivateFile(file);
  if (text === undefined) return undefined;
  const before = legacyRunnerCredential.safeParse(JSON.parse(text));
  if (!before.success) return runnerCredential.parse(JSON.parse(text));
  const now = await upgradeCredential(file, before.data);
  replacePrivateFile(file, JSON.stringify(now));
  return now;
}

/** Gives a key to a machine that was paired before machines had keys. Its token becomes invalid. */
async function upgradeCredential(
  file: string,
  before: LegacyRunnerCredential,
): Promise<RunnerCredential> {
  const { hub: url, token, runner, machine, pending } = before;
  const own = pending ? readSigningKey(pending.key) : createDeviceSigningKey(runner);
  const toCredential = (hubKey: string) => ({ hub: url, hubKey, key: own.text, runner, machine });
  try {
    const { hub } = await upgradeDevice({
      url,
      token,
      device: runner,
      publicKey: own.publicKey,
      keep: (hub) =>
        replacePrivateFile(file, JSON.stringify({ ...before, pending: { key: own.text, hub } })),
    });
    return toCredential(hub.key);
  } catch (failure) {
    // The hub may have stored the key although its answer was lost.
    if (pending) return toCredential(pending.hub.key);
    throw failure;
  }
}

/** Reads the first line of standard input, which the hub leaves open. */
async function readFirstLine(): Promise<string> {
  let input = "";
  for await (const piece of process.stdin) {
    input += String(piece);
    if (input.includes("\n")) break;
  }
  return input.split("\n", 1)[0] ?? "";
}
