import { join } from "node:path";
import { formatLaunchAgent } from "./launchd.ts";
import { formatHubUnit, formatRunnerUnit, formatSocketUnit } from "./systemd.ts";

/** What the service runs, and for whom. */
export interface ServiceOptions {
  /** The command that starts Signalbox, with absolute paths. */
  readonly command: readonly string[];
  readonly data: string;
  readonly port: number;
  /** Whether the machine has an IPv6 loopback address. */
  readonly hasIpv6: boolean;
  /** The search path for agents and their tools: a service manager's own has none of a person's programs. */
  readonly path: string;
  /** Whether the service is of the whole machine (root's) and not of one person. */
  readonly isSystem: boolean;
  readonly home: string;
}

/** A command of the service manager, and whether its failure stops the installation. */
interface Step {
  readonly command: readonly string[];
  readonly mayFail?: boolean;
}

/** The files of a service and the commands that start, describe and remove it. */
export interface ServicePlan {
  readonly manager: "systemd" | "launchd";
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly start: readonly Step[];
  readonly stop: readonly Step[];
  readonly afterRemoval: readonly Step[];
  /** Each unit, and the command that says with exit code 0 that it is active. */
  readonly units: readonly { readonly name: string; readonly isActive: readonly string[] }[];
  /** Where the service writes what it prints. */
  readonly logs: string;
}

export function planService(
  platform: NodeJS.Platform,
  options: ServiceOptions,
): ServicePlan | undefined {
  if (platform === "linux") return planSystemd(options);
  return platform === "darwin" ? planLaunchd(options) : undefined;
}

function planSystemd(options: ServiceOptions): ServicePlan {
  const { isSystem, home } = options;
  const folder = isSystem ? "/etc/systemd/system" : join(home, ".config/systemd/user");
  const scope = isSystem ? [] : ["--user"];
  const systemctl = (...args: string[]) => ({ command: ["systemctl", ...scope, ...args] });
  const files = [
    { name: "signalbox.socket", content: formatSocketUnit(options) },
    { name: "signalbox.service", content: formatHubUnit(options) },
    { name: "signalbox-runner.service", content: formatRunnerUnit(options) },
  ];
  const names = files.map(({ name }) => name);
  return {
    manager: "systemd",
    files: files.map(({ name, content }) => ({ path: join(folder, name), content })),
    start: [systemctl("daemon-reload"), systemctl("enable", "--now", ...names)],
    stop: [{ ...systemctl("disable", "--now", ...names), mayFail: true }],
    afterRemoval: [{ ...systemctl("daemon-reload"), mayFail: true }],
    units: names.map((name) => ({
      name,
      isActive: ["systemctl", ...scope, "is-active", "--quiet", name],
    })),
    logs: `journalctl ${isSystem ? "" : "--user "}-u signalbox -u signalbox-runner -f`,
  };
}

function planLaunchd(options: ServiceOptions): ServicePlan {
  const label = "signalbox.hub";
  const isSystem = options.isSystem;
  const folder = isSystem ? "/Library/LaunchDaemons" : join(options.home, "Library/LaunchAgents");
  const path = join(folder, `${label}.plist`);
  const domain = isSystem ? "system" : `gui/${process.getuid?.() ?? 501}`;
  const logs = join(options.data, "service.log");
  return {
    manager: "launchd",
    files: [{ path, content: formatLaunchAgent(label, options, logs) }],
    start: [{ command: ["launchctl", "bootstrap", domain, path] }],
    stop: [{ command: ["launchctl", "bootout", `${domain}/${label}`], mayFail: true }],
    afterRemoval: [],
    units: [{ name: label, isActive: ["launchctl", "print", `${domain}/${label}`] }],
    logs: `tail -f ${logs}`,
  };
}
