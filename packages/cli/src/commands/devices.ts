import { escapeForTerminal } from "@signalbox/protocol/text";
import { printJsonLines } from "../terminal/json-line.ts";
import type { DeviceView } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { shortId } from "../hub/pick-session.ts";
import { formatTable } from "../hub/table.ts";
import { formatDuration } from "../hub/times.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions } from "../options.ts";
import { createStyle } from "../terminal/style.ts";
import { UsageError } from "../usage-error.ts";

export const devicesCommand: CliCommand = {
  help: `Usage: signalbox devices [--json]
       signalbox devices revoke DEVICE

Lists paired devices with their roles, or revokes one. DEVICE is its name, or at least four
characters from the start of its id. Revoking a device closes its connections immediately.

Options:
  --json             Print one JSON object per line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = { ...dataOption, json: { type: "boolean" } } as const;
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const [action, wanted, ...others] = positionals;
  if (action !== undefined && (action !== "revoke" || wanted === undefined || others.length > 0)) {
    throw new UsageError("Use `signalbox devices` or `signalbox devices revoke DEVICE`.");
  }
  using hub = await connectLocalHub(values.data);
  const devices = await hub.devices();
  if (wanted !== undefined) {
    const device = pickDevice(devices, wanted);
    await hub.revokeDevice(device.id);
    console.log(`Revoked ${escapeForTerminal(device.name)}.`);
    const pairedDevices = device.you ? [] : (device.pairedDevices ?? []);
    for (const { name } of pairedDevices) {
      console.log(`Revoked ${escapeForTerminal(name)}, which was paired from it.`);
    }
  } else if (values.json) {
    printJsonLines(devices);
  } else {
    const style = createStyle(process.stdout, process.env);
    for (const line of formatDeviceTable(devices, Date.now(), style)) console.log(line);
  }
  return exitCode.success;
}

function formatDeviceTable(
  devices: readonly DeviceView[],
  now: number,
  style: ReturnType<typeof createStyle>,
): string[] {
  const rows = devices.map((device) => {
    const { name, role, lastSeenAt, expiresAt, you } = device;
    const seen =
      lastSeenAt === undefined ? "never used" : `last used ${formatLastSeen(now - lastSeenAt)}`;
    const left =
      expiresAt === Number.MAX_SAFE_INTEGER ? "never expires" : formatExpiry(expiresAt - now);
    return [
      style.dim(shortId(device)),
      escapeForTerminal(name),
      role,
      seen,
      left,
      you ? "this device" : "",
    ];
  });
  return formatTable(rows);
}

function formatExpiry(ms: number): string {
  return ms > 0 ? `expires in ${formatDuration(ms)}` : "expired";
}

function formatLastSeen(ms: number): string {
  const time = formatDuration(ms);
  return time === "now" ? time : `${time} ago`;
}

function pickDevice(devices: readonly DeviceView[], name: string): DeviceView {
  const text = name.toLowerCase();
  const found = devices.filter(
    (each) => (text.length >= 4 && each.id.startsWith(text)) || each.name.toLowerCase() === text,
  );
  const [device] = found;
  if (device && found.length === 1) return device;
  throw device
    ? new CommandError(
        exitCode.usage,
        `Several devices match "${escapeForTerminal(name)}". Use the id of one.`,
      )
    : new CommandError(
        exitCode.notFound,
        `No device matches "${escapeForTerminal(name)}". Run \`signalbox devices\` to list them.`,
      );
}
