import { attachCommand } from "./commands/attach.ts";
import { auditCommand } from "./commands/audit.ts";
import { dialCommand } from "./commands/dial.ts";
import { devicesCommand } from "./commands/devices.ts";
import { discoverCommand } from "./commands/discover.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { loopCommand } from "./commands/loop.ts";
import { lsCommand } from "./commands/ls.ts";
import { modelCommand } from "./commands/model.ts";
import { newCommand } from "./commands/new.ts";
import { pairCommand } from "./commands/pair.ts";
import { relayCommand } from "./commands/relay.ts";
import { replayCommand } from "./commands/replay.ts";
import { runCommand } from "./commands/run.ts";
import { runnerCommand } from "./commands/runner.ts";
import { sendCommand } from "./commands/send.ts";
import { serveCommand } from "./commands/serve.ts";
import { stopCommand } from "./commands/stop.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { toldAs } from "./failure.ts";
import { visible } from "./terminal/visible.ts";
import { UsageError } from "./usage-error.ts";
import { version } from "./version.ts";

export interface Command {
  readonly summary: string;
  readonly help: string;
  run(args: string[]): Promise<ExitCode>;
}

const commands: Record<string, Command> = {
  serve: serveCommand,
  ls: lsCommand,
  new: newCommand,
  send: sendCommand,
  attach: attachCommand,
  stop: stopCommand,
  loop: loopCommand,
  pair: pairCommand,
  relay: relayCommand,
  devices: devicesCommand,
  audit: auditCommand,
  doctor: doctorCommand,
  runner: runnerCommand,
  dial: dialCommand,
  discover: discoverCommand,
  run: runCommand,
  replay: replayCommand,
  model: modelCommand,
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
    console.log(version());
    return exitCode.success;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    console.error(`signalbox: there is no command "${visible(name)}".\n\n${help}`);
    return exitCode.usage;
  }
  const ours = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (ours.includes("--help") || ours.includes("-h")) {
    console.log(command.help);
    return exitCode.success;
  }
  try {
    return await command.run(args);
  } catch (failure) {
    const told = toldAs(failure);
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
