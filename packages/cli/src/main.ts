import { escapeForTerminal } from "@signalbox/protocol/text";
import type { Command } from "./command.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { toCommandError } from "./command-error.ts";
import { UsageError } from "./usage-error.ts";
import { readVersion } from "./version.ts";

interface ListedCommand {
  readonly summary: string;
  /** Read when it is called for: a small command must not wait for the hub's code. */
  load(): Promise<Command>;
}

const commands: Record<string, ListedCommand> = {
  serve: {
    summary: "start the hub: everything runs, and the page is there",
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  ls: {
    summary: "all sessions, and what each is doing",
    load: async () => (await import("./commands/ls.ts")).lsCommand,
  },
  new: {
    summary: "begin a session, in this folder unless another is named",
    load: async () => (await import("./commands/new.ts")).newCommand,
  },
  send: {
    summary: "send a message to a session",
    load: async () => (await import("./commands/send.ts")).sendCommand,
  },
  attach: {
    summary: "follow a session in the terminal, and talk to it",
    load: async () => (await import("./commands/attach.ts")).attachCommand,
  },
  stop: {
    summary: "end the agent of a session, or of all",
    load: async () => (await import("./commands/stop.ts")).stopCommand,
  },
  loop: {
    summary: "put a task to an agent again and again, until it is done",
    load: async () => (await import("./commands/loop.ts")).loopCommand,
  },
  pair: {
    summary: "let another device in: a link and a QR code, for five minutes",
    load: async () => (await import("./commands/pair.ts")).pairCommand,
  },
  machines: {
    summary: "the machines that agents run on; add and remove one",
    load: async () => (await import("./commands/machines.ts")).machinesCommand,
  },
  relay: {
    summary: "make room for an agent that dials in: an address and its secret",
    load: async () => (await import("./commands/relay.ts")).relayCommand,
  },
  trust: {
    summary: "what a folder would run by itself, and whether it may",
    load: async () => (await import("./commands/trust.ts")).trustCommand,
  },
  config: {
    summary: "show and change the hub's settings",
    load: async () => (await import("./commands/config.ts")).configCommand,
  },
  devices: {
    summary: "who is let in, and taking that away",
    load: async () => (await import("./commands/devices.ts")).devicesCommand,
  },
  audit: {
    summary: "who let in, started, allowed and denied what",
    load: async () => (await import("./commands/audit.ts")).auditCommand,
  },
  backup: {
    summary: "write everything a hub needs to one file, while it runs",
    load: async () => (await import("./commands/backup.ts")).backupCommand,
  },
  restore: {
    summary: "put a backup in the place of what the hub has",
    load: async () => (await import("./commands/restore.ts")).restoreCommand,
  },
  doctor: {
    summary: "what stands in the way of working here",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
  runner: {
    summary: "run agents on this machine for a hub on another",
    load: async () => (await import("./commands/runner.ts")).runnerCommand,
  },
  dial: {
    summary: "run an agent here and connect it to a hub or relay elsewhere",
    load: async () => (await import("./commands/dial.ts")).dialCommand,
  },
  discover: {
    summary: "look for hubs and relays on this machine",
    load: async () => (await import("./commands/discover.ts")).discoverCommand,
  },
  run: {
    summary: "run one prompt in this folder and stream the answer",
    load: async () => (await import("./commands/run.ts")).runCommand,
  },
  replay: {
    summary: "read a recording and tell what happened in it",
    load: async () => (await import("./commands/replay.ts")).replayCommand,
  },
  model: {
    summary: "a scripted model: Anthropic's Messages API on loopback",
    load: async () => (await import("./commands/model.ts")).modelCommand,
  },
};

const help = `signalbox: the control room for Claude Code

Usage: signalbox COMMAND [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`)
  .join("\n")}

\`signalbox COMMAND --help\` explains a command. \`signalbox --version\` prints the version.`;

async function main([name, ...args]: string[]): Promise<ExitCode> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    console.log(help);
    return name === undefined ? exitCode.usage : exitCode.success;
  }
  if (name === "--version" || name === "-v") {
    console.log(readVersion());
    return exitCode.success;
  }
  const listed = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!listed) {
    console.error(`signalbox: there is no command "${escapeForTerminal(name)}".\n\n${help}`);
    return exitCode.usage;
  }
  const command = await listed.load();
  const ours = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (ours.includes("--help") || ours.includes("-h")) {
    console.log(command.help);
    return exitCode.success;
  }
  try {
    return await command.run(args);
  } catch (failure) {
    const told = toCommandError(failure);
    if (told) {
      console.error(`signalbox ${name}: ${told.message}`);
      return told.exit;
    }
    if (!(failure instanceof UsageError)) throw failure;
    console.error(`signalbox ${name}: ${failure.message}\nTry \`signalbox ${name} --help\`.`);
    return exitCode.usage;
  }
}

process.exitCode = await main(process.argv.slice(2));
