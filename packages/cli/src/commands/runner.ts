import { mkdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { pair } from "@signalbox/client";
import { readPrivateFile, replacePrivateFile } from "@signalbox/hub/private-file";
import { pastProxies, SignalboxError } from "@signalbox/protocol";
import {
  adoptOrphans,
  findOwnHub,
  LINK_PATH,
  ownRunnerOrder,
  type Runner,
  type RunnerOptions,
  startRunner,
  stopOnSignals,
} from "@signalbox/runner";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { Failure } from "../failure.ts";
import { dataFolder, signalboxFolders } from "../hub/data-folder.ts";
import { addressInEnvironment, parseHubAddress } from "../hub/hub-address.ts";
import { signRunner, unsignRunner } from "../hub/own-runner.ts";
import type { Command } from "../main.ts";
import { parsed } from "../options.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { visible } from "../terminal/visible.ts";
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

/** What a runner needs to be let in, kept for the next time. */
const start = ownRunnerOrder.omit({ umask: true, home: true });
type Start = ReturnType<typeof start.parse>;
/** And what this machine is called there. */
type Kept = Start & { readonly machine?: string };

async function run(args: string[]): Promise<ExitCode> {
  const { values } = parsed({
    args,
    options: {
      hub: { type: "string" },
      own: { type: "boolean" },
      "code-file": { type: "string" },
      name: { type: "string" },
      data: { type: "string" },
    },
  });
  const data = dataFolder(values.data);
  if (values.own) {
    const { umask, hub: url, home, ...told } = ownRunnerOrder.parse(JSON.parse(await firstLine()));
    process.umask(umask); // agents make files as their person does
    const hub = home ? (over: AbortSignal) => findOwnHub({ url, ...home }, over) : url;
    const hide = signalboxFolders(data, home && dirname(home.descriptor));
    return serve({ ...told, hub, own: true, dataFolder: data, hide });
  }
  const address = values.hub ?? addressInEnvironment();
  if (address === undefined) throw new UsageError("Name the hub: --hub URL.");
  const hub = parseHubAddress(address);
  const folder = join(data, "runners", hub.host.replaceAll(/[^\w.-]/g, "_"));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "credential.json");
  const before = readStart(file);
  const machine = values.name ?? before?.machine ?? hostname();
  const known = values["code-file"] === undefined ? before : undefined;
  const told = known ?? (await introduce(hub, machine, await codeFrom(values["code-file"])));
  if (told.machine !== machine) replacePrivateFile(file, JSON.stringify({ ...told, machine }));
  console.error(`This machine runs agents for ${told.hub} as "${visible(machine)}".`);
  const hide = signalboxFolders(data);
  return serve({ ...told, own: false, dataFolder: folder, machine, hide }, told);
}

async function serve(
  options: RunnerOptions,
  far?: Pick<Start, "hub" | "token">,
): Promise<ExitCode> {
  let exit: ExitCode = exitCode.success;
  let runner: Runner | undefined;
  const leaveIfTakenAway = async () => {
    if (!far || !(await wasTakenAway(far.hub, far.token))) return;
    exit = exitCode.refused;
    await runner?.stop(
      `${far.hub} does not let this runner in any more: it was taken away there. What the hub has not stored is kept in ${options.dataFolder}. To be let in again, start with --code-file and a new code.`,
    );
  };
  const onTrouble = (sentence: string) => {
    console.error(`${new Date().toISOString()} ${visible(sentence)}`);
    void leaveIfTakenAway();
  };
  using _adopting = await adoptOrphans(); // before it starts anything: no process of a run can leave it
  try {
    runner = await startRunner({ ...options, onTrouble });
  } catch (failure) {
    if (!SignalboxError.isAny(failure)) throw failure;
    throw new Failure(exitCode.refused, failure.message);
  }
  signRunner(options.dataFolder);
  stopOnSignals(runner);
  process.on("SIGHUP", () => {}); // it outlives the terminal it was started from
  console.error(await runner.closed);
  unsignRunner(options.dataFolder);
  return exit;
}

/** Whether the hub itself, and nothing on the way to it, knows the credential no more. */
async function wasTakenAway(hub: string, token: string): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const options = { ...pastProxies(hub), headers, redirect: "error" } as const;
    const answer = await fetch(new URL(LINK_PATH, hub), options);
    if (answer.status !== 401 && answer.status !== 403) return false;
    const { type } = (await answer.json()) as { type?: unknown };
    return String(type).startsWith("urn:signalbox:problem:");
  } catch {
    return false; // it cannot be reached now
  }
}

async function introduce(hub: URL, name: string, code: string): Promise<Kept> {
  const { token, device } = await pair({ url: hub.origin, code, name });
  if (device.role === "runner") return { hub: hub.origin, token, runner: device.id };
  throw new Failure(
    exitCode.refused,
    `This code is for a ${device.role}, not for a machine. Make one in the page, Settings, "Machines", or with \`signalbox machines add\`.`,
  );
}

async function codeFrom(file: string | undefined): Promise<string> {
  if (file !== undefined) return codeIn(readFileSync(file, "utf8"));
  if (!process.stdin.isTTY || !Keyboard.isThere) return codeIn(await text(process.stdin));
  const stop = new AbortController();
  const keyboard = new Keyboard(() => stop.abort());
  try {
    return codeIn((await keyboard.ask("pairing code > ", stop.signal)) ?? "");
  } finally {
    keyboard.close();
  }
}

/** A code, or the whole link that carries it. */
function codeIn(said: string): string {
  const code = said.trim().replace(/^.*#pair=/, "");
  if (code !== "") return code;
  throw new UsageError(
    'A pairing code is missing. "Add a machine" in the settings of the page makes one, or `signalbox machines add`.',
  );
}

function readStart(file: string): Kept | undefined {
  const kept = readPrivateFile(file);
  if (kept === undefined) return undefined;
  const { machine, ...known } = JSON.parse(kept) as { machine?: unknown };
  return { ...start.parse(known), ...(typeof machine === "string" && { machine }) };
}

/** The hub leaves our standard input open: only its first line is meant for us. */
async function firstLine(): Promise<string> {
  let said = "";
  for await (const piece of process.stdin) {
    said += String(piece);
    if (said.includes("\n")) break;
  }
  return said.split("\n", 1)[0] ?? "";
}
