import { escapeForTerminal } from "@signalbox/protocol/text";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolationProfile } from "@signalbox/api/schemas";
import {
  deliverBufferedLines,
  Dial,
  type DialEnd,
  type DialEvent,
  saveAsText,
  startDialedAgent,
} from "@signalbox/runner/dial";
import { toRunEnd } from "@signalbox/host/launch";
import { Isolation } from "@signalbox/host/isolation";
import { type ExitCode, exitCode } from "../exit-code.ts";
import {
  createSignalboxFolders,
  listSignalboxFolders,
  resolveDataFolder,
} from "../hub/data-folder.ts";
import { dataOption } from "../hub/local-hub.ts";
import type { CliCommand } from "../command.ts";
import { parseChoice, parseOptions, requireOneArgument } from "../options.ts";
import { formatCount } from "../run/describe-tool.ts";
import { UsageError } from "../usage-error.ts";

/** The longest time that a person who ends the command waits for the last output to be delivered. */
const DELIVERY_TIMEOUT_MS = 10_000;
const REMINDER_MS = 60_000;
const TOKEN = "SIGNALBOX_DIAL_TOKEN";

export const dialCommand: CliCommand = {
  help: `Usage: signalbox dial [options] URL -- COMMAND [arguments]

Runs an agent on this machine and connects it to a relay, such as ws://host:8765/ws/cli/SESSION.
A Signalbox hub whose relay is on is such a relay: \`signalbox relay\` prints the
address and the secret. This works like --sdk-url, with any version of Claude Code, and adds the
options that Claude Code needs. If the connection drops, output is kept here (on disk if there is
much of it) and delivered once, in order, after reconnecting. Ends with the agent, and with its
exit code.

  signalbox dial ws://host:8765/ws/cli/SESSION -- claude --model opus

Options:
  --token-file FILE  File with the session's secret (default: $${TOKEN})
  --folder FOLDER    Folder in which the agent works (default: current folder)
  --isolation NAME   Isolation profile: ${isolationProfile.options.join(", ")}
  --quiet            Do not report the state of the connection on standard error
  --data FOLDER      Folder for undelivered output, kept in its subfolder dial (default:
                     $SIGNALBOX_DATA, then $XDG_DATA_HOME/signalbox, then
                     ~/.local/share/signalbox)`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const cut = args.indexOf("--");
  const [program, ...programArgs] = cut < 0 ? [] : args.slice(cut + 1);
  const { values, positionals } = parseOptions({
    args: cut < 0 ? args : args.slice(0, cut),
    allowPositionals: true,
    options: {
      ...dataOption,
      "token-file": { type: "string" },
      folder: { type: "string" },
      isolation: { type: "string" },
      quiet: { type: "boolean" },
    },
  });
  const url = parseRelayUrl(positionals);
  if (program === undefined) throw new UsageError("Specify the agent after --, such as -- claude.");
  const token = readToken(values["token-file"]);
  const report = values.quiet === true ? () => {} : createReporter(url);
  const buffer = createBufferFolder(values.data);
  createSignalboxFolders();
  const agent = await startDialedAgent({
    command: [program, ...programArgs],
    folder: values.folder ?? ".",
    environment: process.env,
    isolation: new Isolation({ hide: () => listSignalboxFolders(resolveDataFolder(values.data)) }),
    profile: parseChoice("--isolation", values.isolation ?? "default", isolationProfile.options),
    onStderr: (piece) => process.stderr.write(piece),
  }).catch((failure: unknown) => {
    rmSync(buffer, { recursive: true, force: true });
    const end = toRunEnd(failure);
    if (!end) throw failure;
    console.error(`signalbox dial: ${escapeForTerminal(end.sentence)}`);
  });
  if (!agent) return exitCode.notFound;
  const common = { url, onEvent: report, ...(token !== undefined && { token }) };
  const leaving = new AbortController();
  const dial = new Dial({
    ...common,
    // Output of an earlier run goes first: a session has one agent at a time, and its lines have an order.
    after: deliverBufferedLines(dirname(buffer), common, leaving.signal),
    process: agent.process,
    about: agent.about,
    dataFolder: buffer,
  });
  endOnSignals(dial, () => agent.process.close());
  const end = await dial.done;
  leaving.abort(); // Otherwise the delivery for the earlier run would keep this process alive forever.
  await agent.process.close();
  const undelivered = findUndelivered(end, buffer);
  if (undelivered === undefined) rmSync(buffer, { recursive: true, force: true });
  return reportEnd(end, agent.process.exitStatus, undelivered);
}

/** The path of output that the relay does not have; undefined if everything was delivered. */
function findUndelivered(end: DialEnd, buffer: string): string | undefined {
  if (end.kind === "left" && end.undelivered) return buffer;
  return end.kind === "refused" && end.status === 410 ? saveAsText(buffer) : undefined;
}

function reportEnd(
  end: DialEnd,
  exit: { code: number | null; signal: string | null } | undefined,
  undelivered: string | undefined,
): ExitCode {
  if (undelivered !== undefined) {
    console.error(`signalbox dial: Some output was not delivered. It is kept in ${undelivered}.`);
  }
  if (end.kind === "refused") {
    const why: Record<number, string> = {
      401: "the secret is missing or wrong",
      404: "there is no such session, or the relay of the hub is off",
      410: "the run of this agent has ended there",
    };
    const details =
      end.reason === undefined ? "" : ` The hub says: ${escapeForTerminal(end.reason)}`;
    console.error(
      `signalbox dial: The relay refused the connection (${end.status}): ${why[end.status] ?? "no reason given"}.${details}`,
    );
    return end.status === 404 ? exitCode.notFound : exitCode.refused;
  }
  return (exit?.code ?? exitCode.agentError) as ExitCode; // the exit code of the agent
}

function parseRelayUrl(positionals: readonly string[]): string {
  const text = requireOneArgument(positionals, "Specify one URL, then -- and the agent.");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ["ws:", "wss:"].includes(url.protocol)) return url.href;
  throw new UsageError(
    `"${escapeForTerminal(text)}" is not an address that starts with ws:// or wss://.`,
  );
}

function readToken(file: string | undefined): string | undefined {
  const token = file === undefined ? process.env[TOKEN] : readFileSync(file, "utf8").trim();
  return token === "" ? undefined : token;
}

function createBufferFolder(data: string | undefined): string {
  const folder = join(resolveDataFolder(data), "dial");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(folder, "lines-"));
}

/** Reports changes of the connection, and from time to time that it is still lost. */
function createReporter(url: string): (event: DialEvent) => void {
  const host = escapeForTerminal(new URL(url).host);
  let awaySince: number | undefined;
  let reportedAt = 0;
  const say = (text: string) => console.error(`signalbox dial: ${text}`);
  return (event) => {
    const now = Date.now();
    switch (event.kind) {
      case "connected":
        say(`Connected to ${host}${event.plain ? " (plain lines)" : ""}.`);
        awaySince = undefined;
        break;
      case "away":
        if (awaySince === undefined || now - reportedAt >= REMINDER_MS) {
          const why = escapeForTerminal(event.why);
          say(`No connection to ${host} (${why}). The agent keeps running. Reconnecting…`);
          reportedAt = now;
        }
        awaySince ??= now;
        break;
      case "stopped-by-hub":
        say("The hub stopped this session.");
        break;
      case "lost":
        say(
          `Lost ${formatCount(event.lines, "line")} that the hub had received but no longer has.`,
        );
        break;
      case "kept":
        say(
          `The run of an earlier agent has ended. Its undelivered output is kept in ${event.file}.`,
        );
        break;
      default:
        event satisfies never;
    }
  };
}

/** The first signal ends the agent and delivers its last output; the second one does not wait for that. */
function endOnSignals(dial: Dial, endAgent: () => Promise<void>): void {
  let isEnding = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (isEnding) return dial.leave();
      isEnding = true;
      void endAgent().then(() => setTimeout(() => dial.leave(), DELIVERY_TIMEOUT_MS).unref());
    });
  }
}
