import { escapeForTerminal } from "@signalbox/protocol/text";
import { mkdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { pairDevice, upgradeDevice } from "@signalbox/client";
import { readPrivateFile, replacePrivateFile } from "@signalbox/hub/private-file";
import { bypassProxyForLoopback, SignalboxError } from "@signalbox/protocol";
import { LINK_PATH } from "@signalbox/api/link";
import { adoptOrphans } from "@signalbox/host/agents";
import {
  type DeviceSigningKey,
  createDeviceSigningKey,
  locateHub,
  readDeviceSigningKey,
  type Runner,
  type RunnerOptions,
  startRunner,
  stopOnSignals,
} from "@signalbox/runner";
import {
  type RunnerCredential,
  runnerCredential,
  type LegacyRunnerCredential,
  legacyRunnerCredential,
  createLinkAuthorization,
  runnerStartMessage,
} from "@signalbox/runner/link";
import { createSigningKey } from "@signalbox/runner/keys";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { resolveDataFolder, rememberDataFolder, listSignalboxFolders } from "../hub/data-folder.ts";
import { readHubAddressVariable, parseHubAddress } from "../hub/hub-address.ts";
import { writeRunnerProcess, removeRunnerProcess } from "../hub/local-runner.ts";
import type { Command } from "../command.ts";
import { parseOptions } from "../options.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { UsageError } from "../usage-error.ts";

export const runnerCommand: Command = {
  help: `Usage: signalbox runner --hub URL [options]

Runs agents here for a hub elsewhere, which must be reachable from here: one that was started
with --host or --name and TLS or a proxy, as \`signalbox serve --help\` says. The first time it
needs the code that "Add a machine" in the page's settings or \`signalbox machines add\` made; it
is asked for, or read from standard input. Runs until it is stopped, and then ends its agents.

  --hub URL         the hub's address, with https unless it is this machine; $SIGNALBOX_URL
                    unless said. A certificate of your own is trusted if NODE_EXTRA_CA_CERTS
                    names its file
  --code-file FILE  the pairing code, instead of asking for it
  --name NAME       what this machine is called there; its host name unless said
  --data FOLDER     where it keeps what the hub has not stored

The hub starts the runner of its own machine by itself (\`--own\`).`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values } = parseOptions({
    args,
    options: {
      hub: { type: "string" },
      own: { type: "boolean" },
      "code-file": { type: "string" },
      name: { type: "string" },
      data: { type: "string" },
    },
  });
  const data = resolveDataFolder(values.data);
  if (values.own) {
    const {
      umask,
      hub: url,
      home,
      key,
      runner,
    } = runnerStartMessage.parse(JSON.parse(await readFirstLine()));
    process.umask(umask); // agents make files as their person does
    const hub = (over: AbortSignal) => locateHub({ url, ...home }, over);
    const hide = () => listSignalboxFolders(data, home.descriptor && dirname(home.descriptor));
    return runUntilStopped({
      hub,
      key: readSigningKey(key),
      runner,
      own: true,
      dataFolder: data,
      hide,
    });
  }
  const address = values.hub ?? readHubAddressVariable();
  if (address === undefined) throw new UsageError("Name the hub: --hub URL.");
  const hub = parseHubAddress(address);
  const folder = join(data, "runners", hub.host.replaceAll(/[^\w.-]/g, "_"));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "credential.json");
  const before = await readCredential(file);
  const machine = values.name ?? before?.machine ?? hostname();
  const known = values["code-file"] === undefined ? before : undefined;
  const told = known ?? (await pairMachine(hub, machine, await readCode(values["code-file"])));
  if (told.machine !== machine) replacePrivateFile(file, JSON.stringify({ ...told, machine }));
  console.error(`This machine runs agents for ${told.hub} as "${escapeForTerminal(machine)}".`);
  const key = readSigningKey(told.key);
  const find = (over: AbortSignal) => locateHub({ url: told.hub, key: told.hubKey }, over);
  rememberDataFolder(data);
  const hide = () => listSignalboxFolders(data);
  const { runner } = told;
  const options = { hub: find, key, runner, own: false, dataFolder: folder, machine, hide };
  return runUntilStopped(options, told.hub);
}

function readSigningKey(text: string): DeviceSigningKey {
  const key = readDeviceSigningKey(text);
  if (key) return key;
  throw new CommandError(
    exitCode.refused,
    "The key of this machine cannot be read. Pair it again with a new code: --code-file.",
  );
}

async function runUntilStopped(options: RunnerOptions, far?: string): Promise<ExitCode> {
  let exit: ExitCode = exitCode.success;
  let runner: Runner | undefined;
  const leaveIfTakenAway = async () => {
    if (far === undefined || !(await isRevoked(options))) return;
    exit = exitCode.refused;
    await runner?.stop(
      `${far} does not let this runner in any more: it was taken away there. What the hub has not stored is kept in ${options.dataFolder}. To be let in again, start with --code-file and a new code.`,
    );
  };
  const onTrouble = (sentence: string) => {
    console.error(`${new Date().toISOString()} ${escapeForTerminal(sentence)}`);
    void leaveIfTakenAway();
  };
  using _adopting = await adoptOrphans(); // before it starts anything: no process of a run can leave it
  try {
    runner = await startRunner({ ...options, onTrouble });
  } catch (failure) {
    if (!SignalboxError.isAny(failure)) throw failure;
    throw new CommandError(exitCode.refused, failure.message);
  }
  writeRunnerProcess(options.dataFolder);
  stopOnSignals(runner);
  process.on("SIGHUP", () => {}); // it outlives the terminal it was started from
  console.error(await runner.closed);
  removeRunnerProcess(options.dataFolder);
  return exit;
}

/** Whether the hub, after it has proven itself, knows this machine's key no more. */
async function isRevoked({ hub, key }: Pick<RunnerOptions, "hub" | "key">): Promise<boolean> {
  try {
    const { url, nonce } = await hub(AbortSignal.timeout(5000));
    const headers = { authorization: createLinkAuthorization(key, nonce) };
    const options = { ...bypassProxyForLoopback(url), headers, redirect: "error" } as const;
    return (await fetch(new URL(LINK_PATH, url), options)).status === 401;
  } catch {
    return false; // it cannot be reached now
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
    `This code is for a ${device.role}, not for a machine. Make one in the page, Settings, "Machines", or with \`signalbox machines add\`.`,
  );
}

async function readCode(file: string | undefined): Promise<string> {
  if (file !== undefined) return parseCode(readFileSync(file, "utf8"));
  if (!process.stdin.isTTY || !Keyboard.isAvailable) return parseCode(await text(process.stdin));
  const stop = new AbortController();
  const keyboard = new Keyboard(() => stop.abort());
  try {
    return parseCode((await keyboard.ask("pairing code > ", stop.signal)) ?? "");
  } finally {
    keyboard.close();
  }
}

/** A code, or the whole link that carries it. */
function parseCode(said: string): string {
  const code = said.trim().replace(/^.*#pair=/, "");
  if (code !== "") return code;
  throw new UsageError(
    'A pairing code is missing. "Add a machine" in the settings of the page makes one, or `signalbox machines add`.',
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

/** Paired before machines had keys: it gets one, and its token ends. */
async function upgradeCredential(
  file: string,
  before: LegacyRunnerCredential,
): Promise<RunnerCredential> {
  const { hub: url, token, runner, machine, pending } = before;
  const own = pending ? readSigningKey(pending.key) : createDeviceSigningKey(runner);
  const keptAs = (hubKey: string) => ({ hub: url, hubKey, key: own.text, runner, machine });
  try {
    const { hub } = await upgradeDevice({
      url,
      token,
      device: runner,
      publicKey: own.publicKey,
      keep: (hub) =>
        replacePrivateFile(file, JSON.stringify({ ...before, pending: { key: own.text, hub } })),
    });
    return keptAs(hub.key);
  } catch (failure) {
    // The hub may have taken the key, and only its answer was lost.
    if (pending) return keptAs(pending.hub.key);
    throw failure;
  }
}

/** The hub leaves our standard input open: only its first line is meant for us. */
async function readFirstLine(): Promise<string> {
  let said = "";
  for await (const piece of process.stdin) {
    said += String(piece);
    if (said.includes("\n")) break;
  }
  return said.split("\n", 1)[0] ?? "";
}
