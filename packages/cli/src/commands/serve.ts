import { once } from "node:events";
import { verifyHubIdentity } from "@signalbox/client";
import type { HubOptions, RunningHub } from "@signalbox/hub";
import {
  DEFAULT_PORT,
  openListeningSockets,
  type ListenOptions,
} from "@signalbox/hub/listening-sockets";
import { SignalboxError } from "@signalbox/protocol";
import type { RelaySettings } from "@signalbox/relay";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import type { Command } from "../command.ts";
import { parseInteger, parseOptions } from "../options.ts";
import { resolveDataFolder, rememberDataFolder } from "../hub/data-folder.ts";
import { readDescriptor } from "../hub/local-hub.ts";
import { stopLocalRunner } from "../hub/local-runner.ts";
import { formatCount } from "../run/describe-tool.ts";
import { openInBrowser } from "../serve/browser.ts";
import { HubSupervisor } from "../serve/hub-supervisor.ts";
import { readActivatedSockets, inheritSockets } from "../serve/inherited-sockets.ts";
import { referenceAgent } from "../serve/reference-agent.ts";
import { findPageFolder } from "../serve/page-folder.ts";
import { resolveRootFolder } from "../serve/root-folder.ts";
import { checkTlsFiles } from "../serve/tls-files.ts";
import { UsageError } from "../usage-error.ts";
import { readVersion } from "../version.ts";

export const serveCommand: Command = {
  help: `Usage: signalbox serve [options]

Starts the hub on this machine, and prints the address to open. The first start prints a link
that pairs your browser and makes it the one that decides; it works once, for five minutes.
Ctrl-C stops the hub; agents keep running, and the next start finds them again.

  --demo            with a scripted model: no account, no network, nothing of yours is touched
  --port PORT       default ${DEFAULT_PORT}
  --data FOLDER     where everything is kept; else $SIGNALBOX_DATA, $XDG_DATA_HOME/signalbox
                    or ~/.local/share/signalbox. A demo has a folder of its own
  --new-database    begin with an empty database where the one of before is missing
  --open            open the page in the browser
  --root FOLDER     drivers, such as the command line, may start sessions below this folder (may
                    be given several times); kept for later starts. Without it: your home
                    folder, or what was set on the page. Folders in which a device that
                    approves has started a session are always allowed
  --host ADDRESS    listen beyond this machine, too; needs TLS, or a proxy that speaks it.
                    This machine's own programs keep plain HTTP on loopback: on PORT, and on
                    the port after it where ADDRESS is all of them (0.0.0.0 or ::)
  --name NAME[:PORT]
                    the name by which others open it (may be given several times). Without a
                    port: the one it listens on with TLS, 443 behind a proxy
  --tls-cert FILE   the certificate, and --tls-key FILE its key
  --proxy ADDRESS   a proxy that speaks TLS to the world; only its word about others counts
  --relay           let agents dial in (\`signalbox relay\` makes room for one), front ends see
                    their lines, and official SDK clients attach to sessions
  --relay-open      INSECURE: agents at / and front ends at /ws need no credential. From this
                    machine alone, for programs that can show none
  --relay-origin ORIGIN
                    pages of this origin may speak to the relay (may be given several times)
  --no-hold         run the hub in this process alone, for a service manager that starts it again
                    by itself. Otherwise this process holds the port and starts the hub as a
                    child, again after a crash, so that nobody else can take the port meanwhile`,
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
      "no-hold": { type: "boolean" },
      // Given by the process that holds the sockets to its child: how many are inherited.
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
  const holds = values.held === undefined && !activated && !values["no-hold"] && !values.demo;
  const holder = holds ? createSupervisor(network, args) : undefined;
  if (holder) return (await holder.run()) as ExitCode;
  const page = findPageFolder();
  const ended = new AbortController();
  using held =
    values.held === undefined
      ? undefined
      : inheritSockets(parseInteger("--held", values.held, 16), () => {
          console.error("The process that holds the port has ended, so the hub stops, too.");
          ended.abort();
        });
  const inherited = held?.sockets ?? activated;
  await using demo = values.demo ? await loadDemoHub() : undefined;
  const data = values.data === undefined && demo ? demo.data : resolveDataFolder(values.data);
  rememberDataFolder(data);
  const options: HubOptions = {
    ...network,
    ...(inherited && { inherited }),
    ...demo?.hub,
    data,
    newDatabase: values["new-database"] === true,
    version: readVersion(),
    ...(roots && { roots }),
    agents: [referenceAgent],
    runner: [process.execPath, process.argv[1] ?? "", "runner", "--own"],
    stopRunner: stopLocalRunner,
    ...(page !== undefined && { page }),
  };
  await using hub = await openHub(options, relay);
  endOnSignals(ended);
  held?.reportListening();
  if (!inherited && !demo) console.error(PORT_NOT_HELD);
  if (hub.trouble !== undefined) console.error(hub.trouble);
  const links = new PairingLinkPrinter(hub);
  if (relay?.open) console.error(OPEN_RELAY_WARNING);
  if (page === undefined) console.error("The page is not built: `npm run build:web` makes it.");
  if (demo) console.log(formatDemoInstructions(hub.publicUrl, data));
  if (values.open) openInBrowser(hub.publicUrl);
  await demo?.start(hub, ended.signal);
  if (!ended.signal.aborted) await once(ended.signal, "abort");
  links.stop();
  if (demo) await demo.stop(hub, data);
  else await stopHub(hub);
  return exitCode.success;
}

/** A demo keeps its data in a folder of its own, where no command would look for its hub. */
function formatDemoInstructions(url: string, data: string): string {
  return `The demo's hub is at ${url}, its data folder is ${data}.
In another terminal: npx signalbox ls --data ${data}
(or set SIGNALBOX_DATA=${data} once, for all commands).`;
}

const PORT_NOT_HELD =
  "While this hub is down, another user of this machine could take its port and pass for it. Without --no-hold the port stays held; sockets of the service manager or TLS prevent it, too (docs/running.md).";

/** What was asked for one start is not done again after a crash. */
const firstStartOptions: ReadonlySet<string> = new Set(["--open", "--new-database"]);

/**
 * The process that holds the port and runs the hub as its child. Undefined: the sockets cannot be held,
 * be it that the port is taken; the hub, started in this process, says what is in its way.
 */
function createSupervisor(
  network: ListenOptions,
  args: readonly string[],
): HubSupervisor | undefined {
  try {
    const sockets = openListeningSockets(network);
    const held = ["--port", String(sockets.port), "--held", String(sockets.fds.length)];
    const program = [process.execPath, ...process.execArgv, process.argv[1] ?? "", "serve"];
    return new HubSupervisor(sockets, (restarted) => {
      const own = restarted ? args.filter((each) => !firstStartOptions.has(each)) : args;
      return [...program, ...own, ...held];
    });
  } catch {
    return undefined;
  }
}

/** Loaded where it is needed: the process that only holds the sockets stays small. */
async function loadDemoHub() {
  const { openDemoHub: openDemoRoom } = await import("../serve/demo-hub.ts");
  return openDemoRoom();
}

const OPEN_RELAY_WARNING =
  "INSECURE: the relay is open. Every program of every user on this machine can read the agents that dial in, send them prompts and approve what they ask.";

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
      throw new UsageError("--relay-open and --relay-origin belong to --relay.");
    }
    return undefined;
  }
  if (open && (host !== undefined || proxy !== undefined)) {
    throw new UsageError("--relay-open is for this machine alone: not with --host or --proxy.");
  }
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw new UsageError(`${origin} is no origin: write it as http://localhost:5173.`);
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
    return await startHub({ ...options, extensions: [extension] });
  } catch (failure) {
    const told = getReadableMessage(failure, options.data);
    if (told === undefined) throw failure;
    const isHeld = failure instanceof Error && failure.name === "FolderLockedError";
    const other = isHeld ? await describeRunningHub(options.data) : undefined;
    throw new CommandError(exitCode.refused, other ?? told);
  }
}

/** Errors that are written for people: a folder that is not ours, or a database that cannot be used. */
const readableErrors = new Set([
  "FolderRefusedError",
  "FolderLockedError",
  "DatabaseMissingError",
  "DatabaseRefusedError",
]);
/** What the system says of files that cannot be made or written. */
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
  return `The hub cannot use its data folder ${data} (${failure.message}). Look at the disk and at who may write there, or name another folder with --data. It has not started.`;
}

/** Says where the hub runs that holds this data folder; undefined where it has not written that down. */
async function describeRunningHub(data: string): Promise<string | undefined> {
  try {
    const found = readDescriptor(data);
    if (!found) return undefined;
    await verifyHubIdentity(found);
    return `A hub runs already, at ${found.url} (process ${found.pid}), with the data folder ${data}. Open that one, stop it first, or name another data folder with --data and another port with --port.`;
  } catch {
    return undefined; // it is only just starting, or ending
  }
}

/** Tells where to go, and makes a new link when nobody has used the last in time. */
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
    if (why === "Open") console.log(`Signalbox is at ${this.#hub.publicUrl}`);
    // Nobody can be let in while nothing can be stored, which may pass.
    if (this.#hub.trouble !== undefined) this.#schedule("Now open this", STORE_CHECK_MS);
  }

  #schedule(why: string, afterMs: number): void {
    this.#timer = setTimeout(() => this.#printLink(why), afterMs);
  }
}

const LINK_EXPIRED = "The last link was not used in time. Open this one";
/** So often it is looked whether a store that could not be written can be. */
const STORE_CHECK_MS = 5000;

/** Aborts it when this process is asked to end. */
function endOnSignals(ended: AbortController): void {
  // Not once: a launcher passes on the Ctrl-C that the terminal has sent to both.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => ended.abort());
  process.on("SIGHUP", () => {}); // a closed terminal does not end the hub
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
    `The hub has stopped; ${agents}. \`signalbox serve\` finds them again, \`signalbox stop --all\` ends them.`,
  );
}
