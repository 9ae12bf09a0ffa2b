import { escapeForTerminal } from "@signalbox/protocol/text";
import type { CliCommand } from "./command.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { toCommandError } from "./command-error.ts";
import { UsageError } from "./usage-error.ts";
import { readVersion } from "./version.ts";

interface ListedCommand {
  readonly summary: string;
  /** Imports the command only when it is used, so that a small command does not load the hub's code. */
  load(): Promise<CliCommand>;
}

const commands: Record<string, ListedCommand> = {
  serve: {
    summary: "Start the hub and the web page on this machine",
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  ls: {
    summary: "List sessions and their status",
    load: async () => (await import("./commands/ls.ts")).lsCommand,
  },
  search: {
    summary: "Search everything that was said and done in all sessions",
    load: async () => (await import("./commands/search.ts")).searchCommand,
  },
  import: {
    summary: "Import the sessions of Claude Code",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  new: {
    summary: "Create a session",
    load: async () => (await import("./commands/new.ts")).newCommand,
  },
  send: {
    summary: "Send a message to a session",
    load: async () => (await import("./commands/send.ts")).sendCommand,
  },
  attach: {
    summary: "Follow a session in the terminal and reply to it",
    load: async () => (await import("./commands/attach.ts")).attachCommand,
  },
  changes: {
    summary: "List what has changed in the folder of a session",
    load: async () => (await import("./commands/changes.ts")).changesCommand,
  },
  commit: {
    summary: "Commit in the repository of a session",
    load: async () => (await import("./commands/commit.ts")).commitCommand,
  },
  worktrees: {
    summary: "List, merge and remove the worktrees of a session's repository",
    load: async () => (await import("./commands/worktrees.ts")).worktreesCommand,
  },
  push: {
    summary: "Push the branch of a session",
    load: async () => (await import("./commands/push.ts")).pushCommand,
  },
  pr: {
    summary: "Show or open the pull request of a session",
    load: async () => (await import("./commands/pr.ts")).prCommand,
  },
  stop: {
    summary: "Stop the agents of sessions",
    load: async () => (await import("./commands/stop.ts")).stopCommand,
  },
  restart: {
    summary: "Restart the agent of a session, or retry its last message",
    load: async () => (await import("./commands/restart.ts")).restartCommand,
  },
  switch: {
    summary: "Move a session between chat and Claude Code's own terminal",
    load: async () => (await import("./commands/switch.ts")).switchCommand,
  },
  set: {
    summary: "Show and change the options of a session",
    load: async () => (await import("./commands/set.ts")).setCommand,
  },
  edit: {
    summary: "Rename, label, pin, snooze or archive sessions",
    load: async () => (await import("./commands/edit.ts")).editCommand,
  },
  export: {
    summary: "Write a conversation as Markdown, HTML or JSONL, without keys and addresses",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  trash: {
    summary: "Move sessions to the trash, restore them, or empty it",
    load: async () => (await import("./commands/trash.ts")).trashCommand,
  },
  loop: {
    summary: "Run a task repeatedly until a command succeeds",
    load: async () => (await import("./commands/loop.ts")).loopCommand,
  },
  pair: {
    summary: "Create a pairing link and QR code for another device",
    load: async () => (await import("./commands/pair.ts")).pairCommand,
  },
  machines: {
    summary: "List, add and remove machines that run agents",
    load: async () => (await import("./commands/machines.ts")).machinesCommand,
  },
  relay: {
    summary: "Create a session that an agent can dial into",
    load: async () => (await import("./commands/relay.ts")).relayCommand,
  },
  trust: {
    summary: "Review the code that a folder brings, and trust it",
    load: async () => (await import("./commands/trust.ts")).trustCommand,
  },
  config: {
    summary: "Show and change settings: agents, accounts, permissions, trust and more",
    load: async () => (await import("./commands/config.ts")).configCommand,
  },
  devices: {
    summary: "List and revoke paired devices",
    load: async () => (await import("./commands/devices.ts")).devicesCommand,
  },
  audit: {
    summary: "Show and verify the audit log",
    load: async () => (await import("./commands/audit.ts")).auditCommand,
  },
  logs: {
    summary: "Show the log of the hub or its runner",
    load: async () => (await import("./commands/logs.ts")).logsCommand,
  },
  backup: {
    summary: "Back up the hub to a file",
    load: async () => (await import("./commands/backup.ts")).backupCommand,
  },
  restore: {
    summary: "Restore the hub from a backup",
    load: async () => (await import("./commands/restore.ts")).restoreCommand,
  },
  doctor: {
    summary: "Check the installation and suggest fixes",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
  runner: {
    summary: "Run agents on this machine for a hub on another machine",
    load: async () => (await import("./commands/runner.ts")).runnerCommand,
  },
  dial: {
    summary: "Run an agent here and connect it to a hub or relay elsewhere",
    load: async () => (await import("./commands/dial.ts")).dialCommand,
  },
  discover: {
    summary: "Find hubs and relays on this machine",
    load: async () => (await import("./commands/discover.ts")).discoverCommand,
  },
  service: {
    summary: "Run the hub as a service that starts with this machine",
    load: async () => (await import("./commands/service.ts")).serviceCommand,
  },
  run: {
    summary: "Run one prompt in this folder and stream the answer",
    load: async () => (await import("./commands/run.ts")).runCommand,
  },
  replay: {
    summary: "Print what happened in a recording",
    load: async () => (await import("./commands/replay.ts")).replayCommand,
  },
  model: {
    summary: "Start a scripted model for tests and demos",
    load: async () => (await import("./commands/model.ts")).modelCommand,
  },
};

const help = `signalbox: the control room for Claude Code

Usage: signalbox COMMAND [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`)
  .join("\n")}

\`signalbox COMMAND --help\` shows the options of a command. \`signalbox --version\` prints the version.`;

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
    console.error(`signalbox: unknown command "${escapeForTerminal(name)}".\n\n${help}`);
    return exitCode.usage;
  }
  const command = await listed.load();
  const ownArgs = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (ownArgs.includes("--help") || ownArgs.includes("-h")) {
    console.log((await command.findHelp?.(ownArgs)) ?? command.help);
    return exitCode.success;
  }
  try {
    return await command.run(args);
  } catch (failure) {
    const known = toCommandError(failure);
    if (known) {
      console.error(`signalbox ${name}: ${known.message}`);
      return known.exit;
    }
    if (!(failure instanceof UsageError)) throw failure;
    console.error(
      `signalbox ${name}: ${failure.message}\nRun \`signalbox ${name} --help\` for usage.`,
    );
    return exitCode.usage;
  }
}

process.exitCode = await main(process.argv.slice(2));
