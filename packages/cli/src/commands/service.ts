import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, networkInterfaces } from "node:os";
import { dirname } from "node:path";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { DEFAULT_PORT } from "@signalbox/hub/listening-sockets";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { rememberDataFolder, resolveDataFolder } from "../hub/data-folder.ts";
import { parseInteger, parseOptions, requireOneArgument } from "../options.ts";
import { planService, type ServicePlan } from "../service/service-plan.ts";
import { signalboxCommand } from "../signalbox-command.ts";
import { UsageError } from "../usage-error.ts";

export const serviceCommand: CliCommand = {
  help: `Usage: signalbox service install|status|remove [options]

Runs the hub as a service of systemd (Linux) or launchd (macOS), which starts it with your session
and after a crash. As root, it is a service of the whole machine, unless --user is given. On Linux
the service manager holds the port, and the runner, which owns the agents, is a service of its own:
restarting the hub does not touch the agents.

  install   Write the files of the service and start it. Pair your first browser before, with
            \`signalbox serve\`: otherwise its link is in the log of the service
  status    Show whether the service runs; exits with 1 if a part of it does not
  remove    Stop the service, end its agents and delete its files. The data folder is kept

Options:
  --port PORT        Port to listen on (default: ${DEFAULT_PORT})
  --data FOLDER      Data folder (default: $SIGNALBOX_DATA, then $XDG_DATA_HOME/signalbox, then
                     ~/.local/share/signalbox)
  --user             As root: a service of root's own session
  --print            Only print the files and the commands`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      port: { type: "string", default: String(DEFAULT_PORT) },
      data: { type: "string" },
      user: { type: "boolean" },
      print: { type: "boolean" },
    },
  });
  const action = requireOneArgument(positionals, "Specify one of install, status and remove.");
  const data = resolveDataFolder(values.data);
  const plan = planService(process.platform, {
    command: signalboxCommand(),
    data,
    port: parseInteger("--port", values.port, 65_535),
    hasIpv6: hasIpv6Loopback(),
    path: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    isSystem: process.getuid?.() === 0 && !values.user,
    home: homedir(),
  });
  if (!plan) {
    throw new CommandError(
      exitCode.refused,
      `Services are supported on Linux (systemd) and macOS (launchd), not on ${process.platform}.`,
    );
  }
  if (values.print) return print(plan);
  if (action === "status") return showStatus(plan);
  if (action === "remove") return remove(plan, data);
  if (action === "install") return install(plan, data);
  throw new UsageError(
    `Specify one of install, status and remove, not "${escapeForTerminal(action)}".`,
  );
}

function print({ files, start }: ServicePlan): ExitCode {
  for (const { path, content } of files) console.log(`# ${path}\n${content}`);
  for (const { command } of start) console.log(`# ${command.join(" ")}`);
  return exitCode.success;
}

function install(plan: ServicePlan, data: string): ExitCode {
  requireManager(plan);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  rememberDataFolder(data);
  for (const { path, content } of plan.files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    console.log(`Wrote ${path}`);
  }
  runSteps(plan.start);
  console.log(
    `The service is running. Its log, which has the link for a first browser: ${plan.logs}`,
  );
  if (plan.manager === "systemd" && process.getuid?.() !== 0) {
    console.log("To keep it running when you are logged out: loginctl enable-linger");
  }
  return exitCode.success;
}

function showStatus({ units, files }: ServicePlan): ExitCode {
  if (!files.some(({ path }) => existsSync(path))) {
    console.log("The service is not installed. Install it with `signalbox service install`.");
    return exitCode.agentError;
  }
  const states = units.map(({ name, isActive: [program = "", ...args] }) => ({
    name,
    isActive: spawnSync(program, args, { stdio: "ignore" }).status === 0,
  }));
  for (const { name, isActive } of states) {
    console.log(`${name.padEnd(26)} ${isActive ? "running" : "not running"}`);
  }
  return states.every(({ isActive }) => isActive) ? exitCode.success : exitCode.agentError;
}

function remove({ files, stop, afterRemoval }: ServicePlan, data: string): ExitCode {
  const installed = files.filter(({ path }) => existsSync(path));
  if (installed.length === 0) {
    console.log("The service is not installed.");
    return exitCode.success;
  }
  runSteps(stop);
  for (const { path } of installed) rmSync(path, { force: true });
  runSteps(afterRemoval);
  console.log(`The service was removed. Its data is kept in ${escapeForTerminal(data)}.`);
  return exitCode.success;
}

/** Refuses before anything is written if the service manager cannot be reached. */
function requireManager({ manager }: ServicePlan): void {
  const program = manager === "systemd" ? "systemctl" : "launchctl";
  const { error } = spawnSync(program, ["--version"], { stdio: "ignore" });
  if (!error) return;
  throw new CommandError(
    exitCode.refused,
    `${program} is not installed, so there is no service manager to run Signalbox. Start it with \`signalbox serve\`, or see docs/running.md.`,
  );
}

function runSteps(steps: ServicePlan["start"]): void {
  for (const { command, mayFail = false } of steps) {
    const [program = "", ...args] = command;
    const { status, stderr, error } = spawnSync(program, args, {
      stdio: ["ignore", "inherit", "pipe"],
      encoding: "utf8",
    });
    if (status === 0 || mayFail) continue;
    const why = escapeForTerminal((error?.message ?? stderr).trim());
    throw new CommandError(exitCode.refused, `\`${command.join(" ")}\` failed: ${why}`);
  }
}

function hasIpv6Loopback(): boolean {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ address }) => address === "::1");
}
