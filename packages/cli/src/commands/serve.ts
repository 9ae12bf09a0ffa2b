import { escapeForTerminal } from "@signalbox/protocol/text";
import { once } from "node:events";
import { basename, resolve } from "node:path";
import { verifyHubIdentity } from "@signalbox/client";
import { type HubOptions, readTracingOptions, type RunningHub } from "@signalbox/hub";
import {
  DEFAULT_PORT,
  openListeningSockets,
  type ListenOptions,
} from "@signalbox/hub/listening-sockets";
import { SignalboxError } from "@signalbox/protocol";
import type { RelaySettings } from "@signalbox/relay";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { parseInteger, parseOptions } from "../options.ts";
import { resolveDataFolder, rememberDataFolder } from "../hub/data-folder.ts";
import { readDescriptor } from "../hub/local-hub.ts";
import { stopLocalRunner } from "../hub/local-runner.ts";
import { formatCount } from "../run/describe-tool.ts";
import { openInBrowser } from "../serve/browser.ts";
import { HubSupervisor } from "../serve/hub-supervisor.ts";
import { readActivatedSockets, inheritSockets } from "../serve/inherited-sockets.ts";
import { referenceAgent } from "../run/reference-agent.ts";
import { findPageFolder } from "../serve/page-folder.ts";
import { resolveRootFolder } from "../serve/root-folder.ts";
import { checkTlsFiles } from "../serve/tls-files.ts";
import { UsageError } from "../usage-error.ts";
import { signalboxCommand } from "../signalbox-command.ts";
import { readVersion } from "../version.ts";

export const serveCommand: CliCommand = {
  help: `Usage: signalbox serve [options]

Starts the hub on this machine and prints the address to open. The first start prints a link that
pairs your browser as admin (single use, expires in five minutes). Ctrl-C stops the hub; agents
keep running, and the next start reconnects to them.

Options:
  --demo             Try it with five sample sessions and temporary data: no account, no network
  --port PORT        Port to listen on (default: ${DEFAULT_PORT})
  --data FOLDER      Data folder (default: $SIGNALBOX_DATA, then $XDG_DATA_HOME/signalbox, then
                     ~/.local/share/signalbox; a temporary folder with --demo)
  --new-database     Start with an empty database if the previous one is missing
  --open             Open the page in the browser
  --root FOLDER      Folder below which drivers, such as the command line, may start sessions
                     (repeatable; kept for later starts) (default: your home folder, or what is
                     set on the page). Folders in which an approver's device has started a
                     session are always allowed
  --host ADDRESS     Also listen on this address, for other machines. Needs TLS, or a proxy that
                     provides it. Programs on this machine keep using plain HTTP on loopback: on
                     PORT, or on the next port if ADDRESS is 0.0.0.0 or ::
  --name NAME[:PORT] Name by which other machines reach the hub (repeatable). Without a port: the
                     port that it listens on with TLS, or 443 behind a proxy
  --tls-cert FILE    TLS certificate
  --tls-key FILE     Private key of the TLS certificate
  --proxy ADDRESS    Address of a reverse proxy that terminates TLS. Only its forwarded headers
                     are trusted
  --relay            Accept agents that dial in (see \`signalbox relay\`), and let front ends and
                     official SDK clients attach to sessions, whatever the settings say
  --relay-open       INSECURE: accept agents at / and front ends at /ws without a credential,
                     from this machine only
  --relay-origin ORIGIN
                     Allow pages of this origin to use the relay (repeatable)
  --driver-module FILE
                     Module of another package that brings a driver for agents on this machine
                     (repeatable). It runs with the rights of the runner, outside of any isolation
  --runner-service   Do not start a runner: a service manager runs \`signalbox runner --service\`, so
                     that agents do not end with the hub's service
  --no-hold          Run the hub in this process, for a service manager that restarts it. By
                     default this process holds the port and runs the hub as a child process,
                     which it restarts after a crash, so that no other program can take the port`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values } = parseOptions({
    args,
    options: {
      demo: { type: "boolean" },
      port: { type: "string", default: String(DEFAULT_PORT) },
      data: { type: "string" },
      "new-database": { type: "boolean" },
      open: { type: "boolean" },
      root: { type: "string", multiple: true },
      host: { type: "string" },
      name: { type: "string", multiple: true },
      "tls-cert": { type: "string" },
      "tls-key": { type: "string" },
      proxy: { type: "string" },
      relay: { type: "boolean" },
      "relay-open": { type: "boolean" },
      "relay-origin": { type: "string", multiple: true },
      "driver-module": { type: "string", multiple: true },
      "runner-service": { type: "boolean" },
      "no-hold": { type: "boolean" },
      // Set by the process that holds the sockets, for its child: the number of inherited sockets.
      held: { type: "string" },
    },
  });
  const { host, name: names, proxy, "tls-cert": certFile, "tls-key": keyFile } = values;
  const tls = checkTlsFiles(certFile, keyFile);
  const relay = parseRelayOptions(values);
  const roots = values.root?.map(resolveRootFolder);
  const network: ListenOptions = {
    port: parseInteger("--port", values.port, 65_535),
    ...(host !== undefined && { host }),
    ...(names && { names }),
    ...(proxy !== undefined && { proxy }),
    ...(tls && { tls }),
  };
  const activated = readActivatedSockets();
  const shouldHold = values.held === undefined && !activated && !values["no-hold"] && !values.demo;
  const supervisor = shouldHold ? createSupervisor(network, args) : undefined;
  if (supervisor) return (await supervisor.run()) as ExitCode;
  const page = findPageFolder();
  const ended = new AbortController();
  using inheritedSockets =
    values.held === undefined
      ? undefined
      : inheritSockets(parseInteger("--held", values.held, 16), () => {
          console.error("The process that holds the port has ended. Stopping the hub.");
          ended.abort();
        });
  const inherited = inheritedSockets?.sockets ?? activated;
  await using demo = values.demo ? await loadDemoHub() : undefined;
  const data = values.data === undefined && demo ? demo.data : resolveDataFolder(values.data);
  rememberDataFolder(data);
  const tracing = readTracingOptions(process.env);
  const options: HubOptions = {
    ...network,
    ...(tracing && { tracing }),
    ...(inherited && { inherited }),
    ...demo?.hub,
    data,
    newDatabase: values["new-database"] === true,
    version: readVersion(),
    ...(roots && { roots }),
    agents: [referenceAgent],
    runner: values["runner-service"]
      ? "service"
      : [...signalboxCommand(), "runner", "--own", ...listDriverModules(values["driver-module"])],
    stopRunner: stopLocalRunner,
    ...(page !== undefined && { page }),
  };
  await using hub = await openHub(options, relay);
  endOnSignals(ended);
  inheritedSockets?.reportListening();
  if (!inherited && !demo) console.error(PORT_NOT_HELD);
  if (hub.trouble !== undefined) console.error(hub.trouble);
  const links = new PairingLinkPrinter(hub);
  if (relay?.open) console.error(OPEN_RELAY_WARNING);
  if (page === undefined)
    console.error("The page has not been built. Run `npm run build:web` to build it.");
  if (demo) console.log(formatDemoInstructions(hub.publicUrl, data));
  if (values.open) openInBrowser(hub.publicUrl);
  await demo?.start(hub, ended.signal);
  if (!ended.signal.aborted) await once(ended.signal, "abort");
  links.stop();
  if (demo) await demo.stop(hub, data);
  else await stopHub(hub);
  return exitCode.success;
}

function listDriverModules(files: readonly string[] = []): string[] {
  return files.map((file) => `--driver-module=${resolve(file)}`);
}

/** How a person starts this program: with npx, unless it is the one-file program. */
function formatProgramName(): string {
  return basename(process.execPath).startsWith("bun") ? "npx signalbox" : process.execPath;
}

/** A demo uses its own data folder, where other commands would not look for its hub. */
function formatDemoInstructions(url: string, data: string): string {
  return `The demo hub is running at ${url} (data folder ${data}).
To use other commands with it, add --data in another terminal: ${formatProgramName()} ls --data ${data}
or set SIGNALBOX_DATA=${data}`;
}

const PORT_NOT_HELD =
  "Warning: while this hub is down, another user of this machine could take its port and impersonate it. Start without --no-hold, use socket activation of your service manager, or use TLS to prevent this (see docs/running.md).";

/** Options for the first start, which are not repeated after a crash. */
const firstStartOptions: ReadonlySet<string> = new Set(["--open", "--new-database"]);

/**
 * Creates the supervisor that holds the port and runs the hub as its child. Undefined if the sockets cannot be
 * opened, for example because the port is taken: then the hub starts in this process and reports why.
 */
function createSupervisor(
  network: ListenOptions,
  args: readonly string[],
): HubSupervisor | undefined {
  try {
    const sockets = openListeningSockets(network);
    const socketOptions = ["--port", String(sockets.port), "--held", String(sockets.fds.length)];
    const program = [...signalboxCommand(), "serve"];
    return new HubSupervisor(sockets, (restarted) => {
      const own = restarted ? args.filter((each) => !firstStartOptions.has(each)) : args;
      return [...program, ...own, ...socketOptions];
    });
  } catch {
    return undefined;
  }
}

/** Loaded only when it is needed, so that the process that holds the sockets stays small. */
async function loadDemoHub() {
  const { openDemoHub } = await import("../serve/demo-hub.ts");
  return openDemoHub();
}

const OPEN_RELAY_WARNING =
  "INSECURE: the relay is open. Every program of every user on this machine can read the agents that dial in, send prompts to them and approve their requests.";

function parseRelayOptions(values: {
  relay?: boolean;
  "relay-open"?: boolean;
  "relay-origin"?: string[];
  host?: string;
  proxy?: string;
}): RelaySettings | undefined {
  const { relay, "relay-open": open, "relay-origin": origins = [], host, proxy } = values;
  if (!relay) {
    if (open || origins.length > 0) {
      throw new UsageError("--relay-open and --relay-origin require --relay.");
    }
    return undefined;
  }
  if (open && (host !== undefined || proxy !== undefined)) {
    throw new UsageError("--relay-open cannot be used with --host or --proxy.");
  }
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw new UsageError(
      `--relay-origin: "${escapeForTerminal(origin)}" is not an origin. Example: http://localhost:5173.`,
    );
  }
  return { ...(open && { open }), origins };
}

async function openHub(options: HubOptions, relay: RelaySettings | undefined): Promise<RunningHub> {
  try {
    const [{ startHub }, { relayExtension }] = await Promise.all([
      import("@signalbox/hub"),
      import("@signalbox/relay"),
    ]);
    const extension = relayExtension(relay && { dialIn: relay });
    const record = process.env["SIGNALBOX_RECORD"];
    const recording = record === undefined || record === "" ? {} : { record: resolve(record) };
    return await startHub({ ...options, ...recording, extensions: [extension] });
  } catch (failure) {
    const message = getReadableMessage(failure, options.data);
    if (message === undefined) throw failure;
    const isLocked = failure instanceof Error && failure.name === "FolderLockedError";
    const other = isLocked ? await describeRunningHub(options.data) : undefined;
    throw new CommandError(exitCode.refused, other ?? message);
  }
}

/** Errors whose messages are written for people, such as a database that cannot be used. */
const readableErrors = new Set([
  "FolderRefusedError",
  "FolderLockedError",
  "DatabaseMissingError",
  "DatabaseRefusedError",
]);
/** Error codes of the system for files that cannot be created or written. */
const fileErrors = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EISDIR",
  "ENOTDIR",
  "ELOOP",
]);

function getReadableMessage(failure: unknown, data: string): string | undefined {
  if (!(failure instanceof Error)) return undefined;
  if (SignalboxError.isAny(failure) || readableErrors.has(failure.name)) return failure.message;
  const { code = "" } = failure as NodeJS.ErrnoException;
  if (!fileErrors.has(code)) return undefined;
  return `Couldn't start the hub: its data folder ${data} is not usable (${failure.message}). Check the disk and the permissions, or choose another folder with --data.`;
}

/** Says where the hub of this data folder is running; undefined if it has no valid descriptor. */
async function describeRunningHub(data: string): Promise<string | undefined> {
  try {
    const found = readDescriptor(data);
    if (!found) return undefined;
    await verifyHubIdentity(found);
    return `A hub is already running at ${found.url} (process ${found.pid}) with the data folder ${data}. Use that hub, stop it first, or choose another data folder with --data and another port with --port.`;
  } catch {
    return undefined; // the hub is starting or stopping
  }
}

/** Prints the address, or a pairing link, and a new link when the last one has expired. */
class PairingLinkPrinter {
  readonly #hub: RunningHub;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(hub: RunningHub) {
    this.#hub = hub;
    this.#printLink("Open");
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #printLink(why: string): void {
    const pairing = this.#hub.firstPairing();
    if (pairing) {
      console.log(`${why} to pair this browser with Signalbox: ${pairing.url}`);
      this.#schedule(LINK_EXPIRED, pairing.expiresAt - Date.now());
      return;
    }
    if (why === "Open") console.log(`Signalbox is running at ${this.#hub.publicUrl}`);
    // No device can be paired while the store cannot be written, which may pass.
    if (this.#hub.trouble !== undefined) this.#schedule("Open this link", STORE_CHECK_MS);
  }

  #schedule(why: string, afterMs: number): void {
    this.#timer = setTimeout(() => this.#printLink(why), afterMs);
  }
}

const LINK_EXPIRED = "The link expired. Open this one";
/** How often a store that could not be written is checked again. */
const STORE_CHECK_MS = 5000;

/** Aborts the controller when this process is asked to end. */
function endOnSignals(ended: AbortController): void {
  // More than once: the launcher passes on the Ctrl-C that the terminal has sent to both.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => ended.abort());
  process.on("SIGHUP", () => {}); // a closed terminal does not stop the hub
}

async function stopHub(hub: RunningHub): Promise<void> {
  const living = hub.engine.sessions.countAlive();
  await hub.stop();
  if (living === 0) {
    console.error("The hub has stopped.");
    return;
  }
  const agents = `${formatCount(living, "agent")} ${living === 1 ? "keeps" : "keep"} running`;
  console.error(
    `The hub has stopped. ${agents}. Run \`signalbox serve\` to reconnect to them, or \`signalbox stop --all\` to stop them.`,
  );
}
