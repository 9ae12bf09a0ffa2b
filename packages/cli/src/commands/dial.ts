import { escapeForTerminal } from "@signalbox/protocol/text";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolationProfile } from "@signalbox/api";
import {
  deliverBufferedLines,
  Dial,
  type DialEnd,
  type DialNews,
  saveAsText,
  startDialedAgent,
} from "@signalbox/runner/dial";
import { toRunEnd } from "@signalbox/host";
import { Isolation } from "@signalbox/host/isolation";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { resolveDataFolder, listSignalboxFolders } from "../hub/data-folder.ts";
import { dataOption } from "../hub/local-hub.ts";
import type { Command } from "../command.ts";
import { parseChoice, parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

/** So long a person who ends it waits at most for what was said last to arrive. */
const DELIVERY_TIMEOUT_MS = 10_000;
const REMINDER_MS = 60_000;
const TOKEN = "SIGNALBOX_DIAL_TOKEN";

export const dialCommand: Command = {
  help: `Usage: signalbox dial [options] URL -- COMMAND [arguments]

Runs an agent on this machine and connects it to a relay, such as ws://host:8765/ws/cli/SESSION:
what --sdk-url was, with any version. A Signalbox hub is one if it was started with --relay; then
\`signalbox relay\` there prints the address and its secret. Claude Code gets the options that it needs for that. When
the connection breaks, what the agent says waits here, on the disk if it is much, and nothing is
lost or said twice. Ends with the agent, and with its exit code.

  signalbox dial ws://host:8765/ws/cli/SESSION -- claude --model opus

  --token-file FILE  the session's secret; or in the environment as ${TOKEN}
  --folder FOLDER    where the agent works; here unless said
  --isolation NAME   ${isolationProfile.options.join(", ")}
  --quiet            say nothing of the connection on standard error
  --data FOLDER      where what the agent says waits, in its folder dial; $XDG_DATA_HOME/signalbox
                     or ~/.local/share/signalbox unless said`,
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
  if (program === undefined) throw new UsageError("Name the agent after --, such as -- claude.");
  const token = readToken(values["token-file"]);
  const tell = values.quiet === true ? () => {} : createReporter(url);
  const buffer = createBufferFolder(values.data);
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
  const common = { url, onNews: tell, ...(token !== undefined && { token }) };
  const leaving = new AbortController();
  const dial = new Dial({
    ...common,
    // What an earlier one left goes first: a session has one agent at a time, and an order.
    after: deliverBufferedLines(dirname(buffer), common, leaving.signal),
    process: agent.process,
    about: agent.about,
    dataFolder: buffer,
  });
  endOnSignals(dial, () => agent.process.close());
  const end = await dial.done;
  leaving.abort(); // Otherwise the earlier run's delivery keeps this process alive for good.
  await agent.process.close();
  const kept = findUndelivered(end, buffer);
  if (kept === undefined) rmSync(buffer, { recursive: true, force: true });
  return reportEnd(end, agent.process.exitStatus, kept);
}

/** Where that lies which the relay does not have; undefined: there is nothing. */
function findUndelivered(end: DialEnd, buffer: string): string | undefined {
  if (end.kind === "left" && end.undelivered) return buffer;
  return end.kind === "refused" && end.status === 410 ? saveAsText(buffer) : undefined;
}

function reportEnd(
  end: DialEnd,
  exit: { code: number | null; signal: string | null } | undefined,
  kept: string | undefined,
): ExitCode {
  if (kept !== undefined) {
    console.error(`signalbox dial: not everything was delivered; what is missing lies in ${kept}.`);
  }
  if (end.kind === "refused") {
    const why: Record<number, string> = {
      401: "the secret is missing or wrong",
      404: "there is no such session, or its relay is off",
      410: "this agent's life there is over",
    };
    const said = end.reason === undefined ? "" : ` The hub says: ${escapeForTerminal(end.reason)}`;
    console.error(
      `signalbox dial: refused (${end.status}): ${why[end.status] ?? "no reason given"}.${said}`,
    );
    return end.status === 404 ? exitCode.notFound : exitCode.refused;
  }
  return (exit?.code ?? exitCode.agentError) as ExitCode; // whatever the agent's own is
}

function parseRelayUrl(positionals: readonly string[]): string {
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0)
    throw new UsageError("Name one URL, then -- and the agent.");
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && ["ws:", "wss:"].includes(url.protocol)) return url.href;
  throw new UsageError(
    `"${escapeForTerminal(given)}" is no address that begins with ws:// or wss://.`,
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

/** A sign of life: what became of the connection, and now and then that it is still away. */
function createReporter(url: string): (news: DialNews) => void {
  const place = escapeForTerminal(new URL(url).host);
  let awaySince: number | undefined;
  let told = 0;
  const say = (text: string) => console.error(`signalbox dial: ${text}`);
  return (news) => {
    const now = Date.now();
    switch (news.kind) {
      case "connected":
        say(`connected to ${place}${news.plain ? ", which speaks plain lines" : ""}`);
        awaySince = undefined;
        break;
      case "away":
        if (awaySince === undefined || now - told >= REMINDER_MS) {
          const why = escapeForTerminal(news.why);
          say(`no connection to ${place} (${why}); the agent works on, and I keep trying`);
          told = now;
        }
        awaySince ??= now;
        break;
      case "stopped-by-hub":
        say("the hub ends this session");
        break;
      case "lost":
        say(`${news.lines} lines that the agent said are lost: the hub had them, and has not`);
        break;
      case "kept":
        say(`the run of an agent of before is over; what it had still said lies in ${news.file}`);
        break;
      default:
        news satisfies never;
    }
  };
}

/** The first signal ends the agent and lets its last words arrive; the second does not wait for that. */
function endOnSignals(dial: Dial, endAgent: () => Promise<void>): void {
  let asked = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (asked) return dial.leave();
      asked = true;
      void endAgent().then(() => setTimeout(() => dial.leave(), DELIVERY_TIMEOUT_MS).unref());
    });
  }
}
