import type { ServiceOptions } from "./service-plan.ts";

/** The sockets belong to the service manager, so no other program can take the port while the hub is down. */
export function formatSocketUnit({ port, hasIpv6 }: ServiceOptions): string {
  const addresses = [`127.0.0.1:${port}`, ...(hasIpv6 ? [`[::1]:${port}`] : [])];
  return `[Unit]
Description=The port of Signalbox

[Socket]
${addresses.map((address) => `ListenStream=${address}`).join("\n")}
Backlog=1024

[Install]
WantedBy=sockets.target
`;
}

export function formatHubUnit(options: ServiceOptions): string {
  const { command, data, isSystem } = options;
  return `[Unit]
Description=Signalbox
Requires=signalbox.socket
After=signalbox.socket
Wants=signalbox-runner.service

[Service]
ExecStart=${quoteCommand([...command, "serve", "--runner-service", "--data", data])}
${formatEnvironment(options)}
Restart=on-failure
UMask=0077

[Install]
WantedBy=${isSystem ? "multi-user.target" : "default.target"}
`;
}

/** A unit of its own: stopping or restarting the hub does not touch the agents, which belong to the runner. */
export function formatRunnerUnit(options: ServiceOptions): string {
  const { command, data, isSystem } = options;
  return `[Unit]
Description=The runner of Signalbox, which owns the agents of this machine

[Service]
ExecStart=${quoteCommand([...command, "runner", "--service", "--data", data])}
${formatEnvironment(options)}
Restart=always
# The runner ends its agents step by step before it ends itself.
KillMode=mixed
TimeoutStopSec=60

[Install]
WantedBy=${isSystem ? "multi-user.target" : "default.target"}
`;
}

function formatEnvironment({ path, home }: ServiceOptions): string {
  const variables = { PATH: path, HOME: home, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
  return Object.entries(variables)
    .map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`)
    .join("\n");
}

function quoteCommand(command: readonly string[]): string {
  return command.map((word) => quote(word).replaceAll("$", "$$$$")).join(" ");
}

/** In units a percent sign begins a specifier, and words with blanks or quotes are quoted. */
function quote(word: string): string {
  const escaped = word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%");
  return /^[\w@%+=:,./-]+$/.test(word) ? escaped : `"${escaped}"`;
}
